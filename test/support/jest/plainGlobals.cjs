const crypto = require('node:crypto')
const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')
const vm = require('node:vm')
const { TestEnvironment } = require('jest-environment-node')
const { inMemoryFetch } = require('./inMemoryFetch.cjs')

const filename = join(__dirname, '..', '..', '..', 'node_modules', '.cache', 'test-packages', 'packages.cjs')
const requirePackage = createRequire(filename)
/** The RSA keys of KMS's emulator, which each test file has another copy of and would compute again. */
const computedKeys = new Map()
/** What test files leave to the next ones of this process. */
const leftOver = new Map()
const scripts = new Map()

/** Runs a bundle in a context. Compiles it once for all test files of this process. */
function runBundle(filename, context, require) {
  if (!scripts.has(filename)) {
    const code = `(function (module, require) {${readFileSync(filename, 'utf8')}\n})`
    scripts.set(filename, new vm.Script(code, { filename }))
  }
  const module = { exports: {} }
  scripts.get(filename).runInContext(context)(module, require)
  return module.exports
}

const { compileFunction } = vm
const compiled = new Map()
/**
 * Jest compiles CommonJS with this, most of it its own: anew for each test file, and each function again when it first ran. One script of
 * a file serves all contexts of this process. What imports something late is left to Jest, which must know the test file that asks for it.
 */
vm.compileFunction = (code, parameters = [], options = {}) => {
  const { filename = '', parsingContext } = options
  if (parsingContext === undefined || !filename.includes('/node_modules/') || /\bimport\s*\(/.test(code))
    return compileFunction(code, parameters, options)
  const known = compiled.get(filename)
  if (known?.code === code) return known.script.runInContext(parsingContext)
  const script = new vm.Script(`(function (${parameters.join(', ')}) {${code}\n})`, { filename })
  compiled.set(filename, { code, script })
  return script.runInContext(parsingContext)
}

/** Derived keys by everything that determines them: of passwords whose hash came from elsewhere, as those of the demo. */
const derivedKeys = new Map()
let derivesEachKey = false
const { argon2, hkdfSync, randomBytes } = crypto
const SALT_BYTES = 16
/** What salted a hash of this process, and the salt that all unknown accounts have. */
const ownSalts = new Set([Buffer.alloc(SALT_BYTES).toString('base64')])

crypto.randomBytes = (size, ...done) => {
  const bytes = randomBytes(size, ...done)
  if (size === SALT_BYTES) ownSalts.add(bytes.toString('base64'))
  return bytes
}

/**
 * Argon2 takes 30 ms of a core, and most tests are about something else: a salt of this process gets a key that is cheap to derive.
 * A test file whose first comment says `@derives-each-key` is about Argon2 itself.
 */
crypto.argon2 = (algorithm, parameters, done) => {
  if (derivesEachKey) return argon2(algorithm, parameters, done)
  const { nonce, message, tagLength, ...others } = parameters
  const salt = Buffer.from(nonce).toString('base64')
  if (ownSalts.has(salt)) {
    const key = hkdfSync('sha256', message, nonce, JSON.stringify([algorithm, others]), tagLength)
    return void setImmediate(done, null, Buffer.from(key))
  }
  const name = JSON.stringify([algorithm, salt, message, tagLength, others])
  const key = derivedKeys.get(name)
  if (key !== undefined) return void setImmediate(done, null, Buffer.from(key))
  argon2(algorithm, parameters, (error, derived) => {
    if (!error) derivedKeys.set(name, Buffer.from(derived))
    done(error, derived)
  })
}

/**
 * A worker of Jest has nothing left to do when it exits, but Node takes a second or more to tear its contexts down. Jest waits half a second,
 * and then reports a worker that failed to exit.
 */
if (process.send !== undefined)
  process.once('exit', (code) => {
    if (code === 0) process.kill(process.pid, 'SIGKILL')
  })

/**
 * Jest's environment on a context whose global object is an ordinary one. Jest's own is a Proxy behind V8's interceptors, which every
 * use of `Map`, `JSON` or `Date` then asks: a tenth of the time of the tests. It has the packages and sources that `bundlePackages.mjs` and
 * `bundledSources.mjs` wrote.
 */
class PlainGlobals extends TestEnvironment {
  constructor(...args) {
    const [, { docblockPragmas }] = args
    derivesEachKey = 'derives-each-key' in docblockPragmas
    const { createContext } = vm
    // Jest has no option for it, and makes exactly one context here.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY)
    try {
      super(...args)
    } finally {
      vm.createContext = createContext
    }
    if (!('over-the-wire' in docblockPragmas)) this.global.fetch = inMemoryFetch(this.global.fetch)
    const packages = runBundle(filename, this.context, requirePackage)
    const require = (name) => (name in packages ? packages[name]() : requirePackage(name))
    this.global[Symbol.for('test packages')] = packages
    this.global[Symbol.for('load test sources')] = () =>
      runBundle(join(process.env.TEST_RUN_FOLDER, 'sources.cjs'), this.context, require)
    this.global[Symbol.for('computed RSA keys')] = computedKeys
    this.global[Symbol.for('left by test files')] = leftOver
  }
}

module.exports = PlainGlobals
