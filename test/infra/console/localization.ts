import { createLocalization } from '../../../infra/console/src/texts/createLocalization.ts'

/** The console in each of its languages, for what has no page. */
export const english = createLocalization('en', ['en-US'])
export const german = createLocalization('de', ['de-DE'])
