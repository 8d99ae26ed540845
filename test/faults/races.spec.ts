import { raceStories } from './race-stories.js';
import { openOwn } from './race-store.js';

raceStories(openOwn);
