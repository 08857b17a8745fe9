# The program in a small image, for people who have no Rust toolchain:
#
#   docker build -t sameas .                          CPU only
#   docker build -t sameas --build-arg DEVICE=cuda .  with kernels; the driver comes from the host: docker run --gpus all
#   docker run --rm -v "$PWD:/data" -u "$(id -u):$(id -g)" sameas dedupe people.csv --rules rules.toml

FROM rust:1.95-slim-bookworm AS build
ARG DEVICE=cpu
# A name for `sameas --version`; the repository itself is not part of the image.
ARG SAMEAS_COMMIT
WORKDIR /source
COPY . .
# nvcc comes from PyPI and compiles for the host with g++.
RUN if [ "$DEVICE" = cuda ]; then \
        apt-get update \
        && apt-get install --yes --no-install-recommends g++ python3 python3-venv \
        && scripts/cuda-toolchain; \
    fi
RUN if [ "$DEVICE" = cuda ]; then features="--features cuda"; fi \
    && cargo build --release --locked -p sameas-cli $features \
    && strip target/release/sameas

FROM debian:bookworm-slim
COPY --from=build /source/target/release/sameas /usr/local/bin/sameas
COPY LICENSE /usr/local/share/doc/sameas/LICENSE
RUN useradd --create-home --uid 1000 sameas && mkdir /data && chown sameas /data
USER sameas
WORKDIR /data
ENTRYPOINT ["sameas"]
CMD ["--help"]
