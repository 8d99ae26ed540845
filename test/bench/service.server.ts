import 'reflect-metadata';
import { makeLog } from '#libs/process/log.js';
import { beginProjectionsBeside } from '#libs/service/projections-beside.js';
import { startService } from '#apps/gateway/service.js';
import { settingsOf } from './folder.js';

/** The whole service as `npm start` runs it. Arguments: its data folder, and `dev` for one with a development chain. */
const [dataDir, chain] = process.argv.slice(2);
const settings = settingsOf(dataDir!, chain === 'dev' ? 'dev' : 'none');
const service = await startService(settings, makeLog(settings.logLevel), {}, beginProjectionsBeside({ settings }));
const rpc = service.chains.dev?.rpc ?? {};
process.send!({ port: Number(new URL(service.url).port), rpc });
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)));
process.on('disconnect', () => process.exit(1));
