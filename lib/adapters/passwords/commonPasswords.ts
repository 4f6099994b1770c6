import type { CommonPasswords } from '../../users/ports.ts'

const MIN_LENGTH = 8

let list: Promise<ReadonlySet<string>> | undefined

/**
 * The tens of thousands of passwords that people choose most, from the word lists of zxcvbn, without the ones that are too short
 * anyway. The list is loaded at the first call, because few requests make one.
 */
export const commonPasswords: CommonPasswords = {
  async has(password) {
    list ??= load()
    return (await list).has(password.toLowerCase())
  },
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= MIN_LENGTH))
}
