/** Something to do: before the deployment if it `blocks`, otherwise at any time. */
export interface Finding {
  readonly blocks: boolean
  readonly says: string
}

export const must = (says: string): Finding => ({ blocks: true, says })
export const should = (says: string): Finding => ({ blocks: false, says })
