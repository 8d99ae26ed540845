import { feature } from '#libs/endpoints/feature.js';
import { statement } from './statement.js';

export const statements = feature('statements', { privateQueries: [statement] });
