// node bundle.mjs <folder of the compiled sources>: the programs of users, and the one of tests that kill it.
import { bundle } from '../../apps/bundle.mjs';

await bundle(process.argv[2], { 'service-process': 'test/faults/service-process.js' });
