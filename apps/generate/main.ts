/**
 * Writes what follows from the features' declarations, the client's operations and the tables of `docs/reference.md`, and
 * from one version of Unicode, the table of the characters that names are made of.
 */
import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { made } from './made.js';

for (const { file, text } of await made(path => readFileSync(path, 'utf8'))) writeFileSync(file, text);
