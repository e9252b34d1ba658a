# The mock in a container: docker build -t countersign . && docker run -p 4010:4010 countersign
# For a build that can be repeated, fix the image: --build-arg NODE_IMAGE=node:22-slim@sha256:…
ARG NODE_IMAGE=node:22-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund \
 && npm pack --ignore-scripts \
 && npm install --no-audit --no-fund --omit=dev --prefix /countersign ./countersign-*.tgz pg@8 aws4@1

FROM ${NODE_IMAGE}
COPY --from=build --chown=root:root /countersign /countersign
RUN ln -s /countersign/node_modules/countersign/cli/countersign.js /usr/local/bin/countersign \
 && mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["countersign", "health"]
ENTRYPOINT ["countersign"]
CMD ["mock", "--host", "0.0.0.0"]
