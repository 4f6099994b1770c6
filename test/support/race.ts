/** How many take part in a race: five in `npm test`, twenty in `npm run check:deep`, which sets `RACERS`. */
export const racers = Number(process.env.RACERS ?? 5)

/** Starts every racer at once, and waits for all. `call` gets its place, from 0. */
export function race<Result>(call: (place: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: racers }, (_, place) => call(place)))
}
