import 'reflect-metadata';
import { makeLog } from '#libs/process/log.js';
import { LIMITS } from '#libs/service/limits.js';
import { beginProjectionsBeside } from '#libs/service/projections-beside.js';
import { startService } from '#apps/gateway/service.js';
import { tell } from './child.js';
import { settingsOf } from './folder.js';

/** The whole service as `npm start` runs it. Arguments: its data folder, and `dev` for one with a development chain. */
const [dataDir, chain] = process.argv.slice(2);
/** As `npm start` says it of a service on SQLite. */
const ALONE = { holder: 'service', countsAlone: true };
/** Everything is counted, as it is for everybody; the generator, which is one address, reaches none of the limits. */
const overrides = Object.fromEntries(LIMITS.map(({ name, seconds }) => [name, { points: 1_000_000_000, seconds }]));
const rateLimits = { mode: 'on', overrides } as const;
const settings = { ...settingsOf(dataDir!, chain === 'dev' ? 'dev' : 'none'), rateLimits };
const service = await startService(settings, makeLog(settings.logLevel), ALONE, beginProjectionsBeside({ settings }));
const rpc = service.chains.dev?.rpc ?? {};
tell({ port: Number(new URL(service.url).port), rpc }, () => service.stop());
