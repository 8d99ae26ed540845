/**
 * Writes the page that says which test covers which row of the specification. Run:
 * node --import ./test/doubles/typescript-loader.mjs test/specification/make-page.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { page, PAGE } from './page.js';

const file = new URL(`../../${PAGE}`, import.meta.url);
mkdirSync(new URL('./', file), { recursive: true });
writeFileSync(file, page());
