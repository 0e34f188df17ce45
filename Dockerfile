# syntax=docker/dockerfile:1
# The server with its site, built in stages: what builds is not in what runs (docs/decisions/042-images-and-supply-chain.md).
# Both bases are arguments, so that a release can name them by digest: --build-arg RUN_IMAGE=debian@sha256:...
ARG BUILD_IMAGE=docker.io/library/node:24-bookworm-slim
ARG RUN_IMAGE=docker.io/library/debian:bookworm-slim

# Packages that run, from the lockfile with its hashes; no package runs its scripts (.npmrc). The sandbox and
# its packages are left out.
# The secret is for builders behind a private registry; without one npm uses the public registry.
FROM ${BUILD_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc,required=false \
    npm ci --omit=dev --no-audit --no-fund --cache /tmp/npm && rm -rf /tmp/npm
COPY scripts/image ./scripts/image
RUN node_modules/.bin/node scripts/image/prune-packages.mjs node_modules

# The site, by the same Node and the same packages as everywhere.
FROM ${BUILD_IMAGE} AS site
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc,required=false \
    npm ci --no-audit --no-fund --cache /tmp/npm && rm -rf /tmp/npm
COPY tsconfig.json tsconfig.base.json vite.config.ts ./
COPY domain ./domain
COPY models ./models
COPY sandbox ./sandbox
COPY server ./server
COPY tests/tsconfig.json ./tests/tsconfig.json
COPY scripts ./scripts
COPY web ./web
COPY docs ./docs
COPY .env.example README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md ./
COPY supabase/README.md ./supabase/README.md
COPY packages ./packages
COPY lab ./lab
COPY tests/README.md ./tests/README.md
RUN node_modules/.bin/node scripts/site/vite-build.ts /app/site \
    && node_modules/.bin/node scripts/docs/build-docs.ts /app/site/docs

FROM ${RUN_IMAGE} AS run
# A number, so that a cluster can prove that it is not root; fixed, so that volumes keep their owner.
ARG UID=10001
RUN groupadd --system --gid ${UID} kat \
    && useradd --system --uid ${UID} --gid ${UID} --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin kat \
    && install -d -o ${UID} -g ${UID} -m 0700 /data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE NOTICE ./
COPY supabase ./supabase
COPY models ./models
COPY domain ./domain
COPY server ./server
COPY scripts ./scripts
COPY --from=site /app/site ./site
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data SITE_DIR=/app/site PATH=/app/node_modules/.bin:/usr/bin:/bin
USER 10001:10001
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
# Ready, not merely alive: a balancer that waits for it sends no user to a server without its database.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["node", "scripts/image/is-ready.mjs"]
# Node is the first process: it ends in order at SIGTERM (docs/start.md).
ENTRYPOINT ["node", "--max-semi-space-size=8"]
CMD ["scripts/start.ts"]
