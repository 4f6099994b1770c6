import * as z from 'zod'
import type { LinkPurpose } from '../mail/accountLinkUrl.ts'
import type { AccountFormPurpose } from './accountForm.ts'

/** The query of `accountLinkUrl`. */
export const linkQuery = z.object({
  purpose: z.enum(['verify_email', 'reset_password', 'change_email', 'invitation']) satisfies z.ZodType<LinkPurpose>,
  token: z.string().min(1).max(255),
})

/** The query of `accountFormPath`. */
export const accountFormQuery = z.object({
  purpose: z.enum(['forgot_password', 'register']) satisfies z.ZodType<AccountFormPurpose>,
})
