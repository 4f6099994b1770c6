import { describe, expect, it } from '@jest/globals'
import { demoUsers } from '../../../../infra/data/demo.ts'
import { zxcvbnStrength } from '../../../../lib/adapters/passwords/zxcvbnStrength.ts'
import { texts } from '../../../../lib/texts/texts.ts'
import { passwordProblem, passwordProblemText } from '../../../../lib/users/password/goodPassword.ts'
import { passwordSuggestion, passwordWarning } from '../../../../lib/users/passwordAdvice.ts'

const person = { email: 'ada.lovelace@analytical-engines.example', username: 'countess_ada' }
const invited = { ...person, organization: 'Acme Rockets Inc.' }

const deps = {
  strength: zxcvbnStrength,
  branding: { name: 'Console' },
  logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
}
const problemOf = (password: string, context: Parameters<typeof passwordProblem>[2] = person) =>
  passwordProblem(deps, password, context)

const weak = expect.objectContaining({ suggestions: expect.any(Array) })

describe('A new password', () => {
  // [asvs 6.2.4 6.2.12] [threat 15.5a]
  it.each([
    '00000000',
    'Password1!',
    'PASSWORD1',
    'Summer2026',
    'P@ssw0rd2026',
    'qwertyuiop',
    'iloveyou',
    '12345678',
    'Passwort1',
    'abcabcabcabc',
    'zyxwvutsrq',
    '24.12.1999',
    'constructor',
  ])('that people choose often is refused: %s', async (password) => {
    expect(await problemOf(password)).toEqual(weak)
  })

  // [asvs 6.1.2 6.2.11]
  it.each([
    ['the own address', person.email],
    ['the own address in another case', person.email.toUpperCase()],
    ['a part of the address', 'ada.lovelace'],
    ['the words of the address', 'LovelaceAda1'],
    ['the domain of the address', 'analytical-engines'],
    ['the username', 'countess_ada'],
    ['the username without what is between', 'CountessAda1'],
    ['the service’s name', 'Console1'],
    ['the service’s name twice', 'ConsoleConsole'],
    ['the service’s name and a year', 'console-2026'],
    ['the organization’s name', 'AcmeRocketsInc'],
    ['the organization’s name with signs for letters', 'acm3r0ck3t$inc'],
  ])('that is %s is refused', async (_, password) => {
    expect(await problemOf(password, invited)).toEqual(weak)
  })

  // [threat 15.5a]
  it('is refused for the words of its own person only', async () => {
    const password = 'analytical-engines-acme'
    expect(await problemOf(password, invited)).toEqual(weak)
    expect(await problemOf(password, { email: 'grace@example.com', username: 'grace' })).toBeUndefined()
  })

  // [asvs 6.2.5 6.2.9]
  it.each([
    'correct horse battery staple',
    'staple-battery-4c1d',
    'mauve otters juggle',
    'schlüsselbund am haken',
    'новый пароль для меня',
    '猫は毎朝牛乳を飲みます',
    'x7Kq!vR2m',
    '🦊🌵🚲🎻🧊🪁🥨🏔️',
    'of gears and punched cards '.repeat(4),
  ])('that is hard to guess is good: %s', async (password) => {
    expect(await problemOf(password, invited)).toBeUndefined()
  })

  it.each(Object.values(demoUsers))('is as good as the one of the demo’s user $username', async (user) => {
    expect(await problemOf(user.password, user)).toBeUndefined()
  })

  it('has 8 to 128 characters, counted as people see them composed', async () => {
    expect(await problemOf('x7K!vR2')).toBe('password_too_short')
    // Eight code points as typed, seven composed.
    expect(await problemOf('x7K!vRe\u0301')).toBe('password_too_short')
    const long = 'staple-battery-4c'.repeat(8)
    expect(await problemOf(long.slice(0, 128))).toBeUndefined()
    expect(await problemOf(long.slice(0, 129))).toBe('password_too_long')
    expect(await problemOf(`${long.slice(0, 127)}e\u0301`)).toBeUndefined()
  })

  // [asvs 15.2.2]
  it.each([
    ['signs for letters', '$1a@[-1!95<9z/44.3z[<(._7a[{-9lo.1(1<-/[+33a5bo!//b913a{/a@1'.repeat(2)],
    ['dates', '12/12/2012'.repeat(12)],
    ['repetitions', '6b9qg&'.repeat(21)],
    ['one sign', '1'.repeat(128)],
    ['32 KiB', 'aA@4'.repeat(8192)],
  ])('takes a processor for less than two seconds whatever it is made of: %s', async (_, password) => {
    await zxcvbnStrength.weaknessOf('loads the lists', [])
    const before = process.cpuUsage()
    await zxcvbnStrength.weaknessOf(password, ['ada'])
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})

describe('The advice for a weak password', () => {
  it.each(['en', 'de'] as const)('has a sentence for everything that can be said, in %s', (language) => {
    const { weakPassword } = texts[language]
    expect(Object.keys(weakPassword.warnings).sort()).toEqual([...passwordWarning.options].sort())
    expect(Object.keys(weakPassword.suggestions).sort()).toEqual([...passwordSuggestion.options].sort())
  })

  it('says what is wrong and what helps, and nothing of the password', async () => {
    const problem = await problemOf('00000000')
    expect(problem).toEqual({ warning: 'simpleRepeat', suggestions: ['anotherWord', 'repeated'] })
    if (problem === undefined) throw new Error('not refused')
    expect(passwordProblemText(texts.en, problem)).toBe(
      'A repeated character is easy to guess. Add a word or two that few people use. Avoid repeating words and characters.',
    )
    expect(passwordProblemText(texts.de, problem)).toBe(
      'Ein wiederholtes Zeichen ist leicht zu erraten. Fügen Sie ein oder zwei seltene Wörter hinzu. Vermeiden Sie wiederholte Wörter und Zeichen.',
    )
  })

  it('names the user’s own words as the reason where they are', async () => {
    expect(await problemOf(person.email)).toMatchObject({ warning: 'userInputs' })
  })
})
