import './race-store.double.js';
import './race-stories.js';
