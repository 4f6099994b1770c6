import { app } from './en/app.ts'
import { problems } from './en/problems.ts'
import { session } from './en/session.ts'
import { ui } from './en/ui.ts'

/** The console's texts in English. */
export const en = {
  app,
  problems,
  session,
  ui,
}

/** What each language has to say. */
export type Texts = typeof en
