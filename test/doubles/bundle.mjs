// Usage: node bundle.mjs <folder of the compiled sources>
import { bundle } from '../../apps/bundle.mjs';

await bundle(process.argv[2], { 'service-process': 'test/faults/service-process.js' });
