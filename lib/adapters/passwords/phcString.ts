/** A hash of Argon2id with its parameters and salt. */
export interface Argon2idHash {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Buffer
  readonly hash: Buffer
}

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Writes `$argon2id$v=19$m=...,t=...,p=...$<salt>$<hash>`, as every library of Argon2 does (PHC string format). */
export function toPhcString({ memory, passes, parallelism, salt, hash }: Argon2idHash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** @throws TypeError for a text that `toPhcString` did not write */
export function parsePhcString(text: string): Argon2idHash {
  const [, memory, passes, parallelism, salt = '', hash = ''] = pattern.exec(text) ?? []
  if (memory === undefined) throw new TypeError('not a PHC string of argon2id')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
