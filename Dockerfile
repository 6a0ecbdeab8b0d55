# The image of docker-compose.yml: built once, run as web or as worker by ROLE.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Not npm ci: scripts/tools.mjs says why.
ARG ENGINE_PACKAGES=""
RUN npm install --no-save --omit=dev --no-audit --no-fund $ENGINE_PACKAGES
COPY scripts scripts
COPY schema schema
COPY resolvers resolvers
COPY rest-compat rest-compat
COPY src src
RUN node scripts/build.mjs

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
# The allocator's settings of scripts/tools.mjs, which says why.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=1048576
COPY --from=build --chown=node:node /app /app
RUN mkdir .data && chown node:node .data
USER node
EXPOSE 4000
CMD ["node", "--enable-source-maps", "dist/src/main.js"]
