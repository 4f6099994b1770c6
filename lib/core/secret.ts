/** A secret that may be rotated while a process runs. */
export interface Secret {
  /** The value to use now. */
  current(): Promise<string>
  /** Asks for it anew, after the value in use was refused; null where there is no other. */
  refresh(): Promise<string | null>
}

/** A secret that stays as it is. */
export function fixedSecret(value: string): Secret {
  return { current: async () => value, refresh: async () => null }
}
