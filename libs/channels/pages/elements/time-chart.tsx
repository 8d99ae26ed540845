import { scaleLinear, scaleTime } from 'd3-scale';
import { line } from 'd3-shape';
import { formatClock } from './formats.js';

interface Series {
  readonly name: string;
  /** One for each time; null where it is unknown, which leaves a gap. */
  readonly values: readonly (number | null)[];
}

export interface TimeChartProps {
  readonly title: string;
  /** Process or service that the numbers belong to. */
  readonly scope: string;
  /** Unix ms, ascending. */
  readonly times: readonly number[];
  /** The first one is drawn solid, the second one dashed. */
  readonly series: readonly Series[];
  /** Text of a value with its unit. */
  readonly format: (value: number) => string;
}

const WIDTH = 240;
const HEIGHT = 84;
/** Space for the highest value above the lines, and for the times below them. */
const TOP = 14;
const BOTTOM = HEIGHT - TOP;
const MARGIN = 3;
const FONT = 9;
const DOT = 2;
/** Decimal places of coordinates. */
const DIGITS = 1;
const DASHES = '3 3';

/** A line chart over time. Its lines of text and its label have the newest and the highest value of each series. */
export function TimeChart({ title, scope, times, series, format }: TimeChartProps) {
  const [from, to] = [times[0]!, times.at(-1)!];
  const top = Math.max(...series.map(highest));
  const x = scaleTime([from, to], [MARGIN, WIDTH - MARGIN]);
  const y = scaleLinear([0, Math.max(1, top)], [BOTTOM, TOP]);
  const texts = series.map(({ name, values }, at) => {
    const [now, last] = [values.at(-1) ?? null, values.findLast(value => value !== null) ?? null];
    const most =
      now === null ? (last === null ? '' : ` now, last ${format(last)}`) : `, highest ${format(highest({ values }))}`;
    return { name: at === 0 ? name : `${name} (dashed)`, newest: now === null ? 'unknown' : format(now), most };
  });
  const label = texts.map(({ name, newest, most }) => `${name} ${newest}${most}`).join('; ');
  return (
    <figure class="plot card">
      <figcaption>
        <strong>{title}</strong> {scope}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${label}`}>
        <g fill="currentColor" font-size={FONT} opacity=".7">
          <path stroke="currentColor" stroke-width=".5" d={`M${MARGIN} ${BOTTOM}H${WIDTH - MARGIN}`} />
          <text x={MARGIN} y={FONT}>
            {top > 0 ? format(top) : ''}
          </text>
          <text x={MARGIN} y={HEIGHT - MARGIN}>
            {formatClock(from)}
          </text>
          <text x={WIDTH - MARGIN} y={HEIGHT - MARGIN} text-anchor="end">
            {formatClock(to)} UTC
          </text>
        </g>
        {series.map((each, at) => (
          <Line key={each.name} series={each} xs={times.map(time => x(time))} toY={y} isDashed={at > 0} />
        ))}
      </svg>
      {texts.map(({ name, newest, most }) => (
        <p key={name} class="under">
          {name} <strong>{newest}</strong>
          {most}
        </p>
      ))}
    </figure>
  );
}

interface LineProps {
  readonly series: Series;
  readonly xs: readonly number[];
  readonly toY: (value: number) => number;
  readonly isDashed: boolean;
}

/** A line through the known values. A value between two unknown ones gets a dot, because a line needs two. */
function Line({ series: { values }, xs, toY, isDashed }: LineProps) {
  const isKnown = (at: number) => typeof values[at] === 'number';
  const path = line<number>()
    .defined(isKnown)
    .x(at => xs[at]!)
    .y(at => toY(values[at]!))
    .digits(DIGITS)([...values.keys()]);
  const lonely = [...values.keys()].filter(at => isKnown(at) && !isKnown(at - 1) && !isKnown(at + 1));
  return (
    <>
      <path class="edge" d={path ?? ''} {...(isDashed && { 'stroke-dasharray': DASHES })} />
      {lonely.map(at => (
        <circle key={at} class="edge" cx={xs[at]!.toFixed(DIGITS)} cy={toY(values[at]!).toFixed(DIGITS)} r={DOT} />
      ))}
    </>
  );
}

const highest = ({ values }: Pick<Series, 'values'>) => Math.max(0, ...values.map(value => value ?? 0));
