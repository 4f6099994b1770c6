import { app } from './de/app.ts'
import { problems } from './de/problems.ts'
import { session } from './de/session.ts'
import { ui } from './de/ui.ts'
import type { Texts } from './en.ts'

/** The console's texts in German: a key that is missing here does not compile. */
export const de: Texts = {
  app,
  problems,
  session,
  ui,
}
