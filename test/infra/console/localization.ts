import { createLocalization } from '../../../infra/console/src/texts/createLocalization.ts'
import { de } from '../../../infra/console/src/texts/de.ts'
import { en } from '../../../infra/console/src/texts/en.ts'

/** The console in each of its languages, for what has no page. */
export const english = createLocalization({ language: 'en', texts: en }, ['en-US'])
export const german = createLocalization({ language: 'de', texts: de }, ['de-DE'])
