# The program in a small image, for people who have no Rust toolchain:
#
#   docker build -t sameas .                          CPU only
#   docker build -t sameas --build-arg DEVICE=cuda .  with kernels; the driver comes from the host: docker run --gpus all
#   docker run --rm -v "$PWD:/data" -u "$(id -u):$(id -g)" sameas dedupe people.csv --rules rules.toml

FROM rust:1.95-slim-bookworm AS build
ARG DEVICE=cpu
WORKDIR /source
# nvcc comes from PyPI and compiles for the host with g++. It changes less often than the sources, and is kept between builds.
COPY scripts/cuda-toolchain scripts/
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 \
    && if [ "$DEVICE" = cuda ]; then \
        apt-get install --yes --no-install-recommends g++ python3-venv \
        && scripts/cuda-toolchain; \
    fi
COPY . .
# A name for `sameas --version`; the repository itself is not part of the image.
ARG SAMEAS_COMMIT
RUN if [ "$DEVICE" = cuda ]; then features="--features cuda"; fi \
    && cargo build --release --locked -p sameas-cli $features \
    && strip target/release/sameas
RUN if [ "$DEVICE" = cuda ]; then feature=cuda; SAMEAS_NVCC=$(scripts/cuda-toolchain); export SAMEAS_NVCC; fi \
    && packaging/third-party sameas-cli "$(rustc -vV | sed -n 's/^host: //p')" $feature > THIRD-PARTY-LICENSES

# Nothing is installed here: the slim image of the same system has the libraries that the program is linked with.
FROM debian:bookworm-slim
COPY --from=build /source/target/release/sameas /usr/local/bin/sameas
COPY --from=build /source/LICENSE /source/THIRD-PARTY-LICENSES /usr/local/share/doc/sameas/
RUN useradd --create-home --uid 1000 sameas && mkdir /data && chown sameas /data
USER 1000
WORKDIR /data
ENTRYPOINT ["sameas"]
CMD ["--help"]
