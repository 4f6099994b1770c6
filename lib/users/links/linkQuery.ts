import * as z from 'zod/mini'
import type { AccountFormPurpose, LinkPurpose } from '../../mail/accountLinkUrl.ts'

/** The query of `accountLinkUrl`. */
export const linkQuery = z.object({
  purpose: z.enum([
    'verify_email',
    'reset_password',
    'change_email',
    'undo_email_change',
    'confirm_factor_reset',
    'undo_factor',
    'restore_account',
    'invitation',
  ]) satisfies z.ZodMiniType<LinkPurpose>,
  token: z.string().check(z.minLength(1), z.maxLength(255)),
  /** `1` on the page where the user who verifies an address chooses a new password. */
  choose: z._default(z.string(), ''),
})

/** The query of `accountFormPath`. */
export const accountFormQuery = z.object({
  purpose: z.enum(['forgot_password', 'register', 'resend_verification']) satisfies z.ZodMiniType<AccountFormPurpose>,
  request: z._default(z.string(), ''),
})
