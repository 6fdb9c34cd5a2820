# One image for web, worker, writer, reader, embed, beat, follower, watch and prepare.
# To take the base from elsewhere: --build-arg BASE=registry.example/python:3.11-slim
ARG BASE=python:3.11.14-slim-bookworm

# Build: packages and the wheel of devrag go into /opt/devrag, the tools stay behind.
FROM ${BASE} AS build
WORKDIR /build
COPY requirements/base.txt requirements/
RUN python -m venv --without-pip /opt/devrag \
 && python -m pip --python /opt/devrag/bin/python install --require-hashes \
    --no-compile -r requirements/base.txt
COPY . .
RUN python -m pip --python /opt/devrag/bin/python install \
    --no-compile --no-deps --no-build-isolation . \
 && /opt/devrag/bin/python scripts/slim_packages.py /opt/devrag \
 && /opt/devrag/bin/python -m compileall -q /opt/devrag/lib

# Run: Python, git and ssh, as a user that can write only to its data and /tmp.
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends git openssh-client \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --no-log-init --uid 10001 --home-dir /var/lib/dev-rag --no-create-home devrag \
 && install -d -m 0700 -o devrag -g devrag /var/lib/dev-rag
COPY --from=build /opt/devrag /opt/devrag
ENV PATH=/opt/devrag/bin:$PATH \
    DEVRAG_HOME=/var/lib/dev-rag \
    HTTP_HOST=0.0.0.0 \
    HTTP_PORT=8080 \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1
WORKDIR /var/lib/dev-rag
USER 10001
VOLUME /var/lib/dev-rag
EXPOSE 8080
CMD ["python", "-m", "devrag.web_server"]
