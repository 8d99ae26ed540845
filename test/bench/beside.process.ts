import { rebuild } from '#apps/operator/rebuild.js';
import { settingsOf } from './folder.js';

/** Rebuilds all read models of a running service, like `operator rebuild`. Argument: its data folder. */
const [dataDir] = process.argv.slice(2);
const { seconds, held_ms } = await rebuild(settingsOf(dataDir!), { projections: [], dryRun: false });
process.send!({ seconds, heldMs: held_ms }, () => process.exit(0));
