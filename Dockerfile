# The server and its dependencies, without development tools.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY bin bin
COPY client client
COPY convert convert
COPY src src
COPY studio studio
# The code for browsers, then the program as a bundle, and a link to the runtime: the server starts without Node.
RUN npm run build && npm run bundle && npm prune --omit=dev --ignore-scripts
RUN ln -s "$(node bin/bun --print process.execPath)" bin/runtime

FROM debian:bookworm-slim
RUN groupadd --gid 10001 vitrine && useradd --uid 10001 --gid vitrine --no-create-home --shell /usr/sbin/nologin vitrine \
  && install --directory --owner=vitrine --group=vitrine --mode=700 /data
WORKDIR /app
COPY --from=build /app /app
ENV DATA_DIR=/data NODE_ENV=production
USER vitrine
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["/app/bin/runtime", "--eval", "process.exit((await fetch(`http://127.0.0.1:${process.env.PORT || 8080}/livez`)).ok ? 0 : 1)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/app/bin/runtime", "/app/dist/main.js"]
CMD ["serve"]
