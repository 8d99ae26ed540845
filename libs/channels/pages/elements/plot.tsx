import { scaleLinear, scaleTime } from 'd3-scale';
import { area, line } from 'd3-shape';
import { formatDay } from './formats.js';

export interface Point {
  /** Unix ms. */
  readonly at: number;
  readonly value: number;
}

interface PlotProps {
  readonly title: string;
  /** At least two, oldest first. */
  readonly points: readonly Point[];
  readonly unit?: string;
}

const WIDTH = 240;
const HEIGHT = 56;
const MARGIN = 2;
/** Decimal places of coordinates. */
const DIGITS = 1;

const PLACES_MAX = 2;
const roundedText = (value: number) => String(Number(value.toFixed(PLACES_MAX)));

/** A line chart with its sum. The label tells screen readers the sum and the maximum. */
export function Plot({ title, points, unit = '' }: PlotProps) {
  const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
  const sum = points.reduce((total, { value }) => total + value, 0);
  const x = scaleTime([points[0]!.at, points.at(-1)!.at], [MARGIN, WIDTH - MARGIN]);
  const y = scaleLinear([0, Math.max(highest.value, 1)], [HEIGHT - MARGIN, MARGIN]);
  const [toX, toY] = [({ at }: Point) => x(at), ({ value }: Point) => y(Math.max(value, 0))];
  const ground = area<Point>().x(toX).y0(y(0)).y1(toY).digits(DIGITS);
  const edge = line<Point>().x(toX).y(toY).digits(DIGITS);
  const most = `most on ${formatDay(highest.at)}: ${roundedText(highest.value)}${unit}`;
  const label = `${title} in ${points.length} days: ${roundedText(sum)}${unit}, ${most}`;
  return (
    <figure class="plot">
      <figcaption>
        {title} <strong {...(unit && { class: 'amount' })}>{roundedText(sum) + unit}</strong>
      </figcaption>
      {highest.value > 0 ? (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
          <path class="ground" d={ground([...points])!} />
          <path class="edge" d={edge([...points])!} />
        </svg>
      ) : (
        <p class="under">nothing yet</p>
      )}
    </figure>
  );
}
