import * as z from 'zod'
import type { AccountFormPurpose, LinkPurpose } from '../mail/accountLinkUrl.ts'

/** The query of `accountLinkUrl`. */
export const linkQuery = z.object({
  purpose: z.enum([
    'verify_email',
    'reset_password',
    'change_email',
    'undo_email_change',
    'restore_account',
    'invitation',
  ]) satisfies z.ZodType<LinkPurpose>,
  token: z.string().min(1).max(255),
  /** `1` on the page where the user who verifies an address chooses a new password. */
  choose: z.string().default(''),
})

/** The query of `accountFormPath`. */
export const accountFormQuery = z.object({
  purpose: z.enum(['forgot_password', 'register', 'resend_verification']) satisfies z.ZodType<AccountFormPurpose>,
  request: z.string().default(''),
})
