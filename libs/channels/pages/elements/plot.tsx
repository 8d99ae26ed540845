import { scaleLinear, scaleTime } from 'd3-scale';
import { area, line } from 'd3-shape';
import { formatDay } from './times.js';

export interface Point {
  /** Unix ms. */
  readonly at: number;
  readonly value: number;
}

interface PlotProps {
  readonly title: string;
  /** The oldest first; at least two. */
  readonly points: readonly Point[];
  /** What stands behind a number. */
  readonly unit?: string;
}

const WIDTH = 240;
const HEIGHT = 56;
const MARGIN = 2;
/** Of a coordinate: a tenth of a pixel is seen by nobody. */
const DIGITS = 1;

const PLACES_MAX = 2;
const rounded = (value: number) => String(Number(value.toFixed(PLACES_MAX)));

/** A number over time, as a line with its sum; whoever does not see it hears the sum and the most of a day. */
export function Plot({ title, points, unit = '' }: PlotProps) {
  const most = points.reduce((a, b) => (b.value > a.value ? b : a));
  const sum = points.reduce((total, { value }) => total + value, 0);
  const x = scaleTime([points[0]!.at, points.at(-1)!.at], [MARGIN, WIDTH - MARGIN]);
  const y = scaleLinear([0, Math.max(most.value, 1)], [HEIGHT - MARGIN, MARGIN]);
  const [ofX, ofY] = [({ at }: Point) => x(at), ({ value }: Point) => y(Math.max(value, 0))];
  const ground = area<Point>().x(ofX).y0(y(0)).y1(ofY).digits(DIGITS);
  const edge = line<Point>().x(ofX).y(ofY).digits(DIGITS);
  const best = most.value > 0 ? `, most on ${formatDay(most.at)}: ${rounded(most.value)}${unit}` : '';
  const said = `${title} in ${points.length} days: ${rounded(sum)}${unit}${best}`;
  return (
    <figure class="plot">
      <figcaption>
        {title} <strong>{rounded(sum) + unit}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={said}>
        <path class="ground" d={ground([...points])!} />
        <path class="edge" d={edge([...points])!} />
      </svg>
    </figure>
  );
}
