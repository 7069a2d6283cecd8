# The reference system, Debian 13, with the packages that scripts/dependencies.sh lists:
#   docker build --tag daemark .
#   docker run --rm --volume "$PWD":/daemark daemark make test
FROM debian:13
COPY scripts/dependencies.sh /tmp/
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git make \
 && /tmp/dependencies.sh ccache clang-format clang-tidy \
 && rm -rf /var/lib/apt/lists/* /tmp/dependencies.sh \
 && git config --system --add safe.directory /daemark
WORKDIR /daemark
