import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { FEATURES } from '#libs/features/features.js';
import { clientSource } from './client.js';
writeFileSync('libs/client/operations.generated.ts', clientSource(FEATURES));
