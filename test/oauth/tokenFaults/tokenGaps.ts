const SECOND = 1000

/** How long after its answer, or the loss of it, a token request is sent again, in milliseconds: about the 30 s of a resend, and far from them. */
export const tokenGaps = {
  '+1 s': SECOND,
  '+10 s': 10 * SECOND,
  '+29 s': 29 * SECOND,
  '+31 s': 31 * SECOND,
  '+1 h': 3600 * SECOND,
  '+30 d': 720 * 3600 * SECOND,
} as const
export type TokenGap = keyof typeof tokenGaps
export const tokenGapNames = ['+1 s', '+10 s', '+29 s', '+31 s', '+1 h', '+30 d'] as const satisfies readonly TokenGap[]
