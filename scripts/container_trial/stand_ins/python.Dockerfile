# Debian's Python 3.11 where the official image has its own: python and pip in PATH.
FROM localhost/devrag-trial-debian:bookworm
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3.11 python3.11-venv python3-pip \
 && rm -rf /var/lib/apt/lists/* /usr/share/doc/* /usr/share/man/* \
 && rm /usr/lib/python3.11/EXTERNALLY-MANAGED \
 && ln -s /usr/bin/python3.11 /usr/local/bin/python \
 && ln -s /usr/bin/python3.11 /usr/local/bin/python3
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
CMD ["python"]
