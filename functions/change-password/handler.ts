import { seeOther } from '../../lib/http/answer/answer.ts'
import { pipeline } from '../../lib/http/endpoint/pipeline.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { accountFormPath } from '../../lib/users/links/accountForm.ts'

/**
 * GET /.well-known/change-password: where password managers send a user who should change the password. The form mails a link that sets a new
 * password, for users who are signed in and for all others.
 */
export const handler = pipeline({ clock, logger }, { handle: async () => seeOther(accountFormPath('forgot_password')) })
