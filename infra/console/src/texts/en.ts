import { activity } from './en/activity.ts'
import { apiClients } from './en/apiClients.ts'
import { app } from './en/app.ts'
import { members } from './en/members.ts'
import { organizations } from './en/organizations.ts'
import { problems } from './en/problems.ts'
import { session } from './en/session.ts'
import { ui } from './en/ui.ts'

/** The console's texts in English. */
export const en = {
  activity,
  apiClients,
  app,
  members,
  organizations,
  problems,
  session,
  ui,
}

/** What each language has to say. */
export type Texts = typeof en
