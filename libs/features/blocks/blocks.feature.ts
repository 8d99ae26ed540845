import { feature } from '#libs/endpoints/feature.js';
import { block } from './block.js';
import { blocks } from './blocks.js';
import { Reach } from './reach.js';
import { unblock } from './unblock.js';

export const blocksFeature = feature('blocks', {
  commands: [block, unblock],
  privateQueries: [blocks],
  providers: [Reach],
});
