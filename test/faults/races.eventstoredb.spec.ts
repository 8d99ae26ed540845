import { raceStories } from './race-stories.js';
import { openDouble } from './race-store.js';

raceStories(openDouble);
