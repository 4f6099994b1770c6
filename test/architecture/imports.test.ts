import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { importsIn } from '../support/source/importsIn.ts'

/** Which files of ours, and which packages, the files of a layer may import. Its own folder is always allowed. */
interface Layer {
  readonly files: RegExp
  readonly ours: readonly RegExp[]
  readonly packages: readonly RegExp[]
}

const features = ['oauth', 'users', 'organizations', 'billing', 'authenticators', 'events'] as const
const anyFeature = /^lib\/(oauth|signIn|users|organizations|billing|authenticators|events)\//
const zod = /^zod$/
// What runs on Lambda, or in a browser, takes of zod what it uses, and no more.
const zodMini = /^zod\/mini$/
const node = /^node:/

const layers: Record<string, Layer> = {
  'lib/core': { files: /^lib\/core\//, ours: [], packages: [zodMini] },
  'lib/log': { files: /^lib\/log\//, ours: [/^lib\/core\//], packages: [zodMini] },
  'lib/texts': { files: /^lib\/texts\//, ours: [/^lib\/core\//], packages: [] },
  'lib/mail': { files: /^lib\/mail\//, ours: [/^lib\/(core|log|texts)\//], packages: [] },
  ...Object.fromEntries(
    features.map((feature) => [
      `lib/${feature}`,
      {
        files: feature === 'oauth' ? /^lib\/oauth\/(?!(authorize|device)\/)/ : new RegExp(`^lib/${feature}/`),
        ours: [
          /^lib\/(core|log|mail|texts)\//,
          /^lib\/\w+\/(ports|errors)\.ts$/,
          // What is sent to others.
          /^lib\/events\/(event|eventTypes)\.ts$/,
          // Resources have names in the API document.
          /^lib\/http\/schema\.ts$/,
          // Rules: who may do what, which addresses are one, how much mail is too much, how long a registration lasts, and which names no
          // user gets.
          /^lib\/organizations\/permissions\.ts$/,
          // Endpoints belong to an organization: its owners change them, and its audit log says so.
          ...(feature === 'events'
            ? [/^lib\/organizations\/(auditEntry|authorizeMember|mailOwners|retryOnConflict)\.ts$/]
            : []),
          // A company's provider is asked, and its secret kept, as an operator's is.
          ...(feature === 'organizations' ? [/^lib\/signIn\/provider\/ports\.ts$/] : []),
          /^lib\/users\/(emailKey|mailBudget|registration|soundName|username)\.ts$/,
          // Tries of passwords and of second factors are counted in one way, and links in mails issued in one.
          /^lib\/users\/(guess|links\/accountLinks)\.ts$/,
        ],
        packages: [zodMini, /^node:crypto$/, ...(feature === 'events' ? [/^ipaddr\.js$/] : [])],
      },
    ]),
  ),
  // The authorization endpoint asks for a sign-in; nothing below it does.
  'lib/oauth/authorize': {
    files: /^lib\/oauth\/authorize\//,
    ours: [/^lib\/(core|log|signIn)\//, /^lib\/authenticators\/listAuthenticators\.ts$/, /^lib\/http\/schema\.ts$/],
    packages: [zodMini],
  },
  // The page of devices requires a recent sign-in, as the pages of an account's security do, and counts tries as sign-in does.
  'lib/oauth/device': {
    files: /^lib\/oauth\/device\//,
    ours: [
      /^lib\/(core|log)\//,
      /^lib\/users\/(ports|errors|guess)\.ts$/,
      /^lib\/authenticators\/(deps|security\/securityVisitor)\.ts$/,
    ],
    packages: [zodMini],
  },
  // Hosted sign-in, used by the authorization endpoint and the pages of an account's security.
  'lib/signIn': {
    files: /^lib\/signIn\//,
    ours: [
      /^lib\/(core|log|mail|texts|users|authenticators)\//,
      /^lib\/oauth\/((session|token)\/|(ports|errors|secretDigest)\.ts$)/,
      // Whose domain an address is at.
      /^lib\/organizations\/domains\/domainName\.ts$/,
    ],
    packages: [zodMini],
  },
  'lib/adapters': {
    files: /^lib\/adapters\//,
    ours: [/^lib\/(core|log|mail)\//, /^lib\/adapters\/(awsClient|outbound\/checkedRequest)\.ts$/, anyFeature],
    packages: [
      node,
      zodMini,
      /^@aws-sdk\//,
      /^stripe$/,
      /^jose$/,
      /^p-retry$/,
      /^@zxcvbn-ts\//,
      /^@simplewebauthn\/server$/,
      /^otpauth$/,
      /^@noble\/hashes\/argon2\.js$/,
      /^bowser$/,
      /^uqr$/,
      /^standardwebhooks$/,
      /^openid-client$/,
    ],
  },
  'lib/http': {
    files: /^lib\/http\//,
    ours: [/^lib\/(core|log)\//, /^lib\/\w+\/errors\.ts$/],
    packages: [node, zodMini, /^@middy\//, /^aws-lambda$/],
  },
  'lib/pages': {
    files: /^lib\/pages\//,
    ours: [/^lib\/(core|mail|http|texts)\//, anyFeature],
    packages: [node, zodMini],
  },
  'lib/runtime': { files: /^lib\/runtime\//, ours: [/^lib\//], packages: [zodMini] },
  functions: {
    files: /^functions\//,
    ours: [/^lib\/(core|runtime|http|pages)\//, anyFeature],
    packages: [zodMini],
  },
  'infra/manifest': {
    files: /^infra\/manifest(\.ts$|\/)/,
    ours: [/^infra\/manifest\//, /^lib\/adapters\/dynamodb\/tables\.ts$/],
    packages: [],
  },
  // What programs and servers of any folder share.
  'infra/programs': {
    files: /^infra\/(listenOnLoopback|refuseNpmOptions|runProgram)\.ts$/,
    ours: [],
    packages: [node],
  },
  'infra/data': {
    files: /^infra\/data\//,
    ours: [/^infra\/manifest\.ts$/, /^lib\/core\//, /^lib\/organizations\/ports\.ts$/],
    packages: [zod],
  },
  'infra/aws': {
    files: /^infra\/aws\//,
    ours: [
      /^infra\/(manifest(\/row)?\.ts$|data\/|listenOnLoopback\.ts$)/,
      /^lib\/core\/ids\.ts$/,
      /^lib\/adapters\/dynamodb\/tables\.ts$/,
      /^lib\/runtime\/environment\.ts$/,
      /^lib\/log\/metrics\.ts$/,
      /^lib\/http\/security\/clientNetwork\.ts$/,
      // What the check of a release sends and expects.
      /^lib\/http\/endpoint\/releaseCheck\.ts$/,
    ],
    packages: [
      node,
      zod,
      zodMini,
      /^aws-cdk-lib(\/|$)/,
      /^constructs$/,
      /^esbuild$/,
      /^aws-lambda$/,
      /^@aws-sdk\/client-kms$/,
      /^@smithy\/(core|signature-v4)(\/|$)/,
      /^cdk-nag$/,
      /^p-retry$/,
    ],
  },
  'infra/bench': {
    files: /^infra\/bench\//,
    ours: [/^infra\/((manifest|listenOnLoopback|runProgram|data\/catalog)\.ts$|aws\/bundle|local\/)/],
    // The SDKs by themselves are the floor that functions are measured against.
    packages: [node, zod, /^esbuild$/, /^@aws-sdk\//, /^stripe$/],
  },
  'infra/commits': {
    files: /^infra\/commits\//,
    ours: [],
    packages: [node, zod],
  },
  'infra/docs': {
    files: /^infra\/docs\//,
    ours: [
      /^infra\/(manifest|runProgram|bench\/figures|data\/products|console\/src\/ui\/iconPaths)\.ts$/,
      /^infra\/local\/samples\/(readSamples|sampleEvent)\.ts$/,
    ],
    packages: [node, zod, /^stripe-emulator$/],
  },
  'infra/openapi': {
    files: /^infra\/openapi\//,
    ours: [
      /^infra\/(manifest\.ts$|data\/|local\/)/,
      /^functions\/[\w-]+\/contract\.ts$/,
      /^lib\/(core|http|users|organizations)\//,
    ],
    packages: [node, zodMini, /^zod-openapi$/, /^aws-lambda$/],
  },
  'infra/client': {
    files: /^infra\/client\//,
    ours: [],
    packages: [node, zod, /^esbuild$/, /^p-retry$/, /^jose$/, /^oauth4webapi$/],
  },
  'infra/console': {
    files: /^infra\/console\//,
    ours: [
      /^infra\/client\/src\/index\.ts$/,
      /^lib\/(billing\/(customer\/countries|gateway\/taxIdTypes)|events\/eventTypes)\.ts$/,
    ],
    packages: [
      node,
      zod,
      zodMini,
      /^react(-dom(\/client)?)?$/,
      /^@tanstack\/react-query$/,
      /^@stripe\/stripe-js$/,
      /^esbuild$/,
    ],
  },
  'infra/pageScripts': {
    files: /^infra\/pageScripts\//,
    ours: [],
    packages: [node, /^esbuild$/, /^@simplewebauthn\/browser$/],
  },
  'infra/cost': {
    files: /^infra\/cost\//,
    ours: [
      /^infra\/(manifest|bench\/figures|data\/stages)\.ts$/,
      /^lib\/billing\/catalog\.ts$/,
      /^lib\/log\/metrics\.ts$/,
    ],
    packages: [node],
  },
  // Stored items have one home, so the seed and the controls write through it (infra/decisions/0003-local-stack.md).
  'infra/local': {
    files: /^infra\/local\//,
    ours: [
      /^infra\/((manifest|listenOnLoopback|refuseNpmOptions|runProgram)\.ts$|data\/|stripe\/)/,
      /^infra\/emulators\/\w+\/start\w+Server\.ts$/,
      /^infra\/console\/bundle\/bundleConsole\.ts$/,
      /^infra\/bench\/(bundleFunctions|sandbox)\.ts$/,
      /^lib\/(core|adapters|oauth|organizations|events)\//,
      /^lib\/(http\/(request\/pathTemplate|security\/cookies)|pages\/kit\/pageStyle)\.ts$/,
      /^lib\/runtime\/environment\.ts$/,
    ],
    packages: [
      node,
      zod,
      /^@aws-sdk\//,
      /^stripe(-emulator)?$/,
      /^p-retry$/,
      /^luxon$/,
      /^aws-lambda$/,
      /^dns-packet$/,
      /^standardwebhooks$/,
    ],
  },
  'infra/operate': {
    files: /^infra\/operate\//,
    ours: [
      /^infra\/(local\/|(data\/stages|refuseNpmOptions|runProgram)\.ts$)/,
      // What a deployed stage says of itself.
      /^infra\/aws\/(deploy\/(awsCommand|deployedStage)|stacks\/stackNames)\.ts$/,
      /^lib\/(core|adapters|oauth|signIn|users|organizations|billing|events)\//,
      /^lib\/authenticators\/recovery\/(operateOnFactors|resetTotp)\.ts$/,
      /^lib\/runtime\/(environment|billing|operators|settings)\.ts$/,
    ],
    packages: [node, zod, /^@aws-sdk\/credential-providers$/],
  },
  'infra/stripe': {
    files: /^infra\/stripe\//,
    ours: [/^infra\/(data\/|local\/settings\.ts$)/, /^lib\/billing\/gateway\/gatewayEvent\.ts$/],
    packages: [node, zod, /^stripe$/],
  },
  'infra/emulators': {
    files: /^infra\/emulators\/(?!stripe\/)/,
    ours: [/^lib\/core\//, /^infra\/(listenOnLoopback|emulators\/\w+)\.ts$/],
    packages: [node, zod, /^@aws-sdk\//, /^jose$/],
  },
  // A package of its own: no file of it, tests included, imports from outside its folder.
  'infra/emulators/stripe': {
    files: /^infra\/emulators\/stripe\/(?!test\/)/,
    ours: [],
    packages: [node, zod, /^stripe$/, /^qs$/, /^luxon$/, /^esbuild$/, /^@stripe\/stripe-js$/],
  },
  'infra/emulators/stripe/test': {
    files: /^infra\/emulators\/stripe\/test\//,
    ours: [],
    packages: [node, zod, /^stripe$/, /^@jest\/globals$/, /^ajv$/, /^axe-core$/, /^esbuild$/, /^playwright-core$/],
  },
}

const root = new URL('../../', import.meta.url).pathname
const inTypeScript = globSync('{lib,functions,infra,test}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (name) => /(^|\/)node_modules$/.test(name),
})
const texts = new Map(inTypeScript.map((file) => [file, readFileSync(`${root}${file}`, 'utf8')]))
const imports = new Map([...texts].map(([file, text]) => [file, importsIn(text)]))
const data = inTypeScript.flatMap((file) =>
  importsOf(file).flatMap((name) => (name.endsWith('.json') ? ours(resolve(file, name)) : [])),
)
const files = [...new Set([...inTypeScript, ...data])]
const sources = files.filter((name) => !name.startsWith('test/'))

function importsOf(file: string): readonly string[] {
  return imports.get(file) ?? []
}

/**
 * The rooms of a feature and of `lib/http`, lowest floor first. A file imports from its own room and from lower floors only; rooms that share a floor never
 * import each other. Files beside the rooms are the ground.
 */
const floors: Record<string, readonly (readonly string[])[]> = {
  'lib/billing': [
    ['gateway'],
    ['slot'],
    ['customer'],
    ['events', 'mails'],
    ['checkout', 'reconcile'],
    ['subscriptions', 'operate'],
  ],
  'lib/oauth': [['client'], ['token'], ['session'], ['authorize'], ['device']],
  'lib/events': [['delivery', 'endpoints', 'notices', 'relay']],
  'lib/pages': [['scripts'], ['kit'], ['signIn'], ['account', 'security']],
}

/** Imports of a feature's file that go to an upper floor, or to another room of the same floor. */
function upwardImports(feature: string, levels: readonly (readonly string[])[]): string[] {
  const roomOf = (file: string) =>
    file
      .slice(feature.length + 1)
      .split('/')
      .slice(0, -1)
      .join('/')
  const floorOf = (room: string) => (room === '' ? -1 : levels.findIndex((rooms) => rooms.includes(room)))
  return sources
    .filter((file) => file.startsWith(`${feature}/`))
    .flatMap((file) => importsOf(file).flatMap((name) => ours(resolve(file, name)).map((target) => ({ file, target }))))
    .filter(({ target }) => target.startsWith(`${feature}/`) && !target.endsWith('.json'))
    .map(({ file, target }) => ({ file, target, from: roomOf(file), to: roomOf(target) }))
    .filter(({ from, to }) => from !== to && floorOf(to) >= floorOf(from))
    .map(({ file, target }) => `${file} imports ${target}`)
}

/** The path from the root for a file of ours, the specifier itself for a package. */
function resolve(file: string, specifier: string): { ours: boolean; name: string } {
  if (!specifier.startsWith('.')) return { ours: false, name: specifier }
  return { ours: true, name: relative(root, new URL(specifier, `file://${root}${file}`).pathname) }
}

function ours({ ours, name }: { ours: boolean; name: string }): string[] {
  return ours ? [name] : []
}

function folderOf(file: string): string {
  // An adapter and an emulator are the folder of their outside system, a function its own folder; every other layer is one.
  return /^(lib\/adapters\/[^/]+\/|infra\/emulators\/[^/]+\/|functions\/[^/]+\/|[^/]+\/[^/]+\/)/.exec(file)?.[0] ?? file
}

describe('Imports', () => {
  it('finds the sources, so that the rules below have something to hold', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(importsOf('lib/billing/checkout/checkout.ts')).toContain('../slot/ports.ts')
    expect(importsOf('infra/console/src/main.tsx')).toContain('./app/App.tsx')
  })

  it('places every source in exactly one layer', () => {
    const homeless = sources.filter(
      (file) => Object.values(layers).filter((layer) => layer.files.test(file)).length !== 1,
    )
    expect(homeless).toEqual([])
  })

  it('never go in a circle, types included', () => {
    const ways = new Map(sources.map((file) => [file, importsOf(file).flatMap((name) => ours(resolve(file, name)))]))
    const open = new Set(sources)
    // What imports nothing that is left cannot be part of a circle; what remains when nothing more goes is one.
    for (let before = Infinity; open.size < before; ) {
      before = open.size
      for (const file of open) if (!ways.get(file)?.some((name) => open.has(name))) open.delete(file)
    }
    expect([...open]).toEqual([])
  })

  it.each(Object.entries(layers))('%s imports only what the table allows', (_, layer) => {
    const offences = sources
      .filter((file) => layer.files.test(file))
      .flatMap((file) => importsOf(file).map((specifier) => ({ file, ...resolve(file, specifier) })))
      .filter(({ file, ours, name }) =>
        ours
          ? folderOf(name) !== folderOf(file) && !layer.ours.some((allowed) => allowed.test(name))
          : !layer.packages.some((allowed) => allowed.test(name)),
      )
      .map(({ file, name }) => `${file} imports ${name}`)
    expect(offences).toEqual([])
  })

  it('reach the Stripe emulator from outside by the name of its package only', () => {
    const inside = /^infra\/emulators\/stripe\//
    const offences = files
      .filter((file) => !inside.test(file))
      .flatMap((file) => importsOf(file).map((specifier) => ({ file, ...resolve(file, specifier) })))
      .filter(({ name }) => inside.test(name))
      .map(({ file, name }) => `${file} imports ${name}`)
    expect(offences).toEqual([])
    expect(importsOf('infra/local/dependencies/openStripe.ts')).toContain('stripe-emulator')
  })

  it.each(Object.entries(floors))('in %s lead to lower floors only', (feature, levels) => {
    expect(upwardImports(feature, levels)).toEqual([])
  })

  it.each(Object.entries(floors))('find every room of %s on a floor', (feature, levels) => {
    const depth = feature.split('/').length
    const rooms = sources.flatMap((file) => {
      const parts = file.split('/')
      return file.startsWith(`${feature}/`) && parts.length > depth + 1 ? [parts[depth]] : []
    })
    expect([...new Set(rooms)].sort()).toEqual(levels.flat().sort())
  })

  it('reads process.env in lib/runtime/environment.ts and nowhere else under lib and functions', () => {
    const inCode = sources.filter((file) => {
      const text = texts.get(file) ?? ''
      // Backticks around it mean that a comment speaks of it.
      return /^(lib|functions)\//.test(file) && /[^`]process\.env\b/.test(text)
    })
    expect(inCode).toEqual(['lib/runtime/environment.ts'])
  })
})
