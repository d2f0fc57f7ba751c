# Weir in one image, without tools to build anything in it: docs/deploy/container.md. Both images
# have to be of the same Debian, since the program's Node is copied from the one into the other.
ARG NODE_IMAGE=node:24-trixie-slim
ARG BASE_IMAGE=debian:trixie-slim

# What is built runs on any processor, so it is built on the builder's own. It is built by the image's
# Node: the one that a checkout brings comes by an install script, and is not needed.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS checkout
WORKDIR /checkout
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save --include=dev --ignore-scripts
COPY . .

# The tarball of npm pack, installed as anyone would install it, in the places of the last stage.
FROM checkout AS package
RUN npm run build && node scripts/compile.ts && npm pack --ignore-scripts --pack-destination / \
  && npm install --offline --prefix /installed /weir-*.tgz \
  && mkdir -p /root-fs/opt /root-fs/usr/local/bin /root-fs/etc/weir \
  && mv /installed/node_modules/weir /root-fs/opt/weir \
  && ln -s /opt/weir/bin/weir /root-fs/usr/local/bin/weir \
  && cp deploy/docker/health.js /root-fs/opt/weir/ \
  && install -d -m 0700 /data
WORKDIR /root-fs/opt/weir
# npm would miss the packages for development, which are not there. What nothing reads when the program
# runs goes, too: types, source maps, and the tokenizer in the formats that Weir does not load.
RUN npm pkg delete devDependencies \
  && npm sbom --sbom-format cyclonedx --sbom-type application > sbom.cdx.json \
  && find node_modules \( -name '*.map' -o -name '*.ts' -o -name '*.cts' -o -name '*.mts' \) -delete \
  && rm -r node_modules/gpt-tokenizer/cjs node_modules/gpt-tokenizer/data node_modules/gpt-tokenizer/src

# The demo's company, for compose files that show something: it needs the SDKs of development.
FROM checkout AS demo
RUN install -d -o 10001 -g 10001 -m 0700 /data
VOLUME /data
USER 10001:10001
CMD ["node", "demo/company-at-work.ts"]

FROM ${NODE_IMAGE} AS node

FROM ${BASE_IMAGE}
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Weir" \
  org.opencontainers.image.description="A pass-through proxy in front of AI providers that knows who spent what." \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}"
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=package /root-fs /
COPY --from=package --chown=10001:10001 /data /data
ENV WEIR_DATA_DIR=/data \
  WEIR_PROXY_HOST=0.0.0.0 \
  WEIR_API_HOST=0.0.0.0 \
  WEIR_STATUS_HOST=0.0.0.0
# Where weir.yaml is looked for, if there is one.
WORKDIR /etc/weir
VOLUME /data
EXPOSE 7070 7071 7072
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/opt/weir/health.js"]
ENTRYPOINT ["weir"]
CMD ["start"]
