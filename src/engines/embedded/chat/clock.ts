/** What time it is, where the server stands and in the cities that time zones are named after. */

const HOUR: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hour12: false };
const DAY: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };

const CITIES = new Map(
  Intl.supportedValuesOf('timeZone').map((timeZone) => {
    const city = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
    return [city.toLowerCase(), { city, timeZone }] as const;
  }),
);

const format = (now: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', options).format(now);

/** "14:05". */
export const hourOf = (now: Date): string => format(now, HOUR);

/** "Wednesday, 15 July 2026". */
export const dayOf = (now: Date): string => format(now, DAY);

/** The hour in a city, with its name as it is written; undefined for what is no city of a time zone. @param place in lower case */
export function hourElsewhere(now: Date, place: string): { city: string; hour: string } | undefined {
  const found = CITIES.get(place);
  return found && { city: found.city, hour: format(now, { ...HOUR, timeZone: found.timeZone }) };
}
