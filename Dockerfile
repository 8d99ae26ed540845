# One image for gateway, projector, operator and auditor; the command selects the program. The default runs the whole
# service in one process, with embedded stores and the development chain (unless CHAIN=rpc).
# The node of the development chain needs glibc 2.35, which Debian releases before bookworm lack.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json LICENSE ./
COPY apps ./apps
COPY libs ./libs
RUN npm run build && npm prune --omit=dev

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY apps/preflight.mjs apps/run.mjs ./apps/
# A new volume gets the owner and mode of the folder that it is mounted on.
# A new volume takes the owner of the folder that it is mounted at.
RUN install -d -o node -g node -m 0700 /data /backups /var/lib/eventstore
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/health/live').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/run.mjs", "gateway"]
