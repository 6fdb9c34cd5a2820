# One image for web, worker, embed, beat and follower.
FROM python:3.11-slim-bookworm

RUN apt-get update \
 && apt-get install -y --no-install-recommends git openssh-client \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --create-home --uid 10001 devrag \
 && install -d -o devrag -g devrag /var/lib/dev-rag

WORKDIR /app
COPY requirements/base.txt requirements/
RUN pip install --no-cache-dir --require-hashes -r requirements/base.txt
COPY . .
RUN pip install --no-cache-dir --no-deps --no-build-isolation -e .

ENV DEVRAG_HOME=/var/lib/dev-rag \
    HTTP_HOST=0.0.0.0 \
    HTTP_PORT=8080 \
    PYTHONUNBUFFERED=1
USER devrag
VOLUME /var/lib/dev-rag
EXPOSE 8080
CMD ["python", "-m", "devrag.web_server", "--host", "0.0.0.0", "--port", "8080"]
