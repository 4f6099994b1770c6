import * as z from 'zod/mini'

const csrf = z._default(z.string(), '')
const text = z._default(z.string(), '')

/** The forms of a hosted sign-in, by their `action`: of `submitSignIn`, for every endpoint that shows them. */
export const signInForms = [
  z.object({ action: z.literal('login'), csrf, email: text, password: text }),
  z.object({
    action: z.literal('second_factor'),
    csrf,
    factor: z.enum(['totp', 'recovery_code', 'passkey']),
    proof: text,
  }),
  z.object({ action: z.literal('passkey'), csrf, proof: text }),
] as const
