// node bundle.mjs <folder for the programs> <name>=<compiled file> ...
import { bundle } from '../../apps/bundle.mjs';

const [folder, ...programs] = process.argv.slice(2);
await bundle(Object.fromEntries(programs.map(each => each.split('='))), folder);
