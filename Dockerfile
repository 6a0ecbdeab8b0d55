# The image of docker-compose.yml: built once, run as web or as worker by ROLE.
# By digest, which a registry cannot change behind the tag; the index of all platforms. To renew it:
# docker buildx imagetools inspect node:<version>-bookworm-slim
ARG NODE_IMAGE=node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# Install scripts tell nobody that we install.
ENV SCARF_ANALYTICS=false DO_NOT_TRACK=1
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
# Packages for engines of one's own choice, by exact version; also one that our tests need, which is omitted otherwise.
ARG ENGINE_PACKAGES=""
RUN if [ -n "$ENGINE_PACKAGES" ]; then npm install --no-save --save-prod --omit=dev --no-audit --no-fund $ENGINE_PACKAGES; fi
# The image has its own Node.
COPY scripts/trim.mjs scripts/
RUN rm -rf node_modules/node-* node_modules/.bin/node && node scripts/trim.mjs
COPY tsconfig.json ./
COPY scripts scripts
COPY schema schema
COPY resolvers resolvers
COPY rest-compat rest-compat
COPY src src
COPY clients/typescript/src clients/typescript/src
RUN node scripts/build.mjs

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production
# The allocator's settings of scripts/tools.mjs, which says why.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=1048576
# The program belongs to root, and the user that runs it writes media alone.
COPY --from=build /app /app
RUN mkdir -m 750 .data && chown node:node .data
USER node
EXPOSE 4000
CMD ["node", "--enable-source-maps", "--no-warnings", "dist/src/main.js"]
