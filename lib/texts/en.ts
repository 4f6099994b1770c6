import { formatDuration, formatList, formatWait } from '../core/format.ts'
import { type Html, html } from '../core/html.ts'

const roles = { owner: 'an owner', billing_admin: 'a billing admin', member: 'a member' } as const
type Role = keyof typeof roles

const once = (minutes: number) => `This link works once and expires in ${formatDuration(minutes, 'en')}.`

const undoAddition =
  'If this wasn’t you, remove it now: you choose a new password, and all devices are signed out. Only this email is needed for that, no second factor.'
const resetAndRemove =
  'If this wasn’t you, choose a new password now: you need only this mailbox for that. The page also removes second factors that someone else has added.'

/** What a mail about a new sign-in says of it, in words. */
interface NewSignInFacts {
  readonly browser: string | undefined
  readonly at: string
  readonly place: string | undefined
  readonly sourceIp: string | undefined
}

/** The texts of pages and mails in English. Every other language's table has its type: if a text is missing, it does not compile. */
export const en = {
  errorTitle: (title: string) => `Error: ${title}`,
  footer: { support: 'Support', terms: 'Terms', privacy: 'Privacy' },
  next: {
    signIn: 'Sign in',
    openApplication: (name: string) => `Open ${name}`,
    tryAgain: 'Try again',
    createAccount: 'Create an account',
  },
  wait: (seconds: number) => `Try again in ${formatWait(seconds, 'en')}.`,

  fields: {
    email: 'Email address',
    username: 'Username',
    usernameRule: 'Others can see it. Use 3 to 32 letters and digits, with dots, hyphens or underscores in between.',
    password: 'Password',
    newPassword: 'New password',
    passwordRule: 'Use at least 8 characters. A few words that you don’t use elsewhere work well.',
    showPassword: 'Show password',
  },
  problems: {
    email_invalid: 'Enter a complete email address, such as name@example.com.',
    username_invalid:
      'Use 3 to 32 letters, digits, dots, hyphens or underscores, starting and ending with a letter or digit.',
    username_taken: 'This username is taken.',
    password_missing: 'Enter your password.',
    password_too_short: 'Use at least 8 characters.',
    password_too_long: 'Use at most 128 characters.',
    password_breached: 'This password became known through a breach of another service. Choose another one.',
    wrong_credentials:
      'Incorrect email address or password. If you have just registered, first confirm your address with the link in our email.',
    wrong_password: 'Incorrect password.',
  },
  weakPassword: {
    easyToGuess: 'This password is easy to guess.',
    warnings: {
      straightRow: 'Keys in a row are easy to guess.',
      keyPattern: 'Short patterns on the keyboard are easy to guess.',
      simpleRepeat: 'A repeated character is easy to guess.',
      extendedRepeat: 'A repeated pattern is easy to guess.',
      sequences: 'Sequences such as “abc” or “6543” are easy to guess.',
      recentYears: 'Recent years are easy to guess.',
      dates: 'Dates are easy to guess.',
      topTen: 'This is one of the ten most common passwords.',
      topHundred: 'This is one of the hundred most common passwords.',
      common: 'This is a common password.',
      similarToCommon: 'This is close to a common password.',
      wordByItself: 'A single word is easy to guess.',
      namesByThemselves: 'A single name is easy to guess.',
      commonNames: 'Common names are easy to guess.',
      userInputs: 'Your name, your address and the names of this service and your organization are easy to guess.',
    },
    suggestions: {
      l33t: 'Signs in place of letters, such as “@” for “a”, hardly help.',
      reverseWords: 'Words written backwards hardly help.',
      allUppercase: 'Capital letters throughout hardly help.',
      capitalization: 'A capital letter at the beginning hardly helps.',
      dates: 'Avoid dates that have to do with you.',
      recentYears: 'Avoid recent years.',
      associatedYears: 'Avoid years that have to do with you.',
      sequences: 'Avoid sequences.',
      repeated: 'Avoid repeating words and characters.',
      longerKeyboardPattern: 'Use longer patterns that change direction several times.',
      anotherWord: 'Add a word or two that few people use.',
      useWords: 'Use several words, but no common phrase.',
      noNeed: 'Digits, signs and capital letters are not needed.',
    },
  },

  signIn: {
    withProvider: (provider: string) => `Continue with ${provider}`,
    companyRequired: (company: string) => `${company} asks its members to sign in with its own provider.`,
    title: 'Sign in',
    failedTitle: 'Sign-in failed',
    lead: (client: string) => html`to continue to <strong>${client}</strong>`,
    tooManyAttempts: (seconds: number) => `Too many attempts. Try again in ${formatWait(seconds, 'en')}.`,
    button: 'Sign in',
    next: 'Continue',
    otherAddress: 'Use another address',
    forgotPassword: 'Forgot password?',
    noAccount: 'No account yet?',
    haveAccount: 'Already have an account?',
    expired: 'This sign-in took too long, or was finished elsewhere. Sign in again.',
  },

  lostFactor: {
    link: 'I have lost all of these',
    none: {
      title: 'Lost your second factor?',
      text: 'We can remove your passkeys, your authenticator app and your recovery codes, so that your password alone signs you in. You confirm it by a link in an email; 7 days later they are removed. If another owner of your organization approves, it takes a day. We email you before it happens. It ends by itself when you use one that you have had for at least 14 days, or when your password changes.',
    },
    unconfirmed: {
      title: 'Confirm the removal by email',
      text: 'We sent you an email. Nothing is removed until you confirm it by the link in that email.',
    },
    waiting: {
      title: 'Your second factors will be removed',
      text: 'Until then, using one of them cancels this if you have had it for at least 14 days. Afterwards, sign in with your password. All devices will be signed out.',
    },
    due: {
      title: 'Remove your second factors',
      text: 'The waiting time is over. From now on your password alone signs you in; add a second factor again soon.',
    },
    done: {
      title: 'Your second factors were removed',
      text: 'Sign in with your password, and add a second factor again soon.',
    },
    mailedTo: (email: string) => html`The email went to <strong>${email}</strong>. Look in the spam folder, too.`,
    effectiveAt: (time: string) => html`They are removed on <strong>${time}</strong>.`,
    askOwners: 'You need not wait that long if one of these owners approves; we have emailed them:',
    approved: 'An owner has approved this.',
    request: 'Ask to remove them',
    send_again: 'Send the email again',
    complete: 'Remove them now',
    back: 'Back to sign-in',
  },

  passkey: {
    button: { sign_in: 'Sign in with a passkey', second_factor: 'Use a passkey' },
    needsScript: 'Passkeys need JavaScript, which is off in this browser.',
    failed: 'No passkey was used. Try again, or sign in another way.',
    elsewhere: (host: string) => `Passkeys work at ${host}`,
  },
  secondFactor: {
    title: 'Confirm that it’s you',
    signingInAs: (email: string) => html`Signing in as <strong>${email}</strong>`,
    totp: {
      label: 'Code from your authenticator app',
      rule: 'The app shows a new one every 30 seconds. Each works once.',
      button: 'Continue',
    },
    recovery_code: {
      label: 'Recovery code',
      rule: 'One of the ten that you stored when you set this up. Each works once.',
      button: 'Use recovery code',
    },
    useRecoveryCode: 'Use a recovery code instead',
    code_refused: 'This code is wrong, or was used already. Enter the newest one.',
    factor_suspended:
      'Too many wrong codes: your authenticator app is suspended. A passkey, a recovery code or a new password ends that.',
    resetPassword: 'Choose a new password by email',
    passkey_refused: 'This passkey could not be used. Try again, or choose another one.',
    passkey_too_new:
      'This passkey was added less than 24 hours ago. Until then enter your password first, then use the passkey.',
  },

  security: {
    title: 'Sign-in and security',
    signedInAs: (email: string) => html`Signed in as <strong>${email}</strong>`,
    back: 'Back',
    cancel: 'Cancel',
    notVerified: 'Confirm your email address first. Then you can add passkeys and an authenticator app.',
    done: {
      passkey_added: 'The passkey was added.',
      passkey_renamed: 'The passkey was renamed.',
      passkey_removed: 'The passkey was removed.',
      totp_added: 'The authenticator app was set up.',
      totp_removed: 'The authenticator app was removed.',
      provider_disconnected: 'The provider was disconnected.',
      sessions_ended: 'Every session from before your second factor was signed out, except this one.',
      reset_approved: 'The request was approved. The member was notified by email.',
      reset_canceled: 'Your second factors stay. The request to remove them was canceled.',
    },
    endSessions: {
      text: 'Other browsers and apps stay signed in without your second factor. If you sign them out, they ask for it next time.',
      button: 'Sign out other sessions',
    },
    problems: {
      authenticator_not_found: 'It was removed already.',
      code_refused: 'This code is wrong or has expired. Enter the one that the app shows now.',
      email_not_verified: 'Confirm your email address first.',
      enrollment_expired: 'The setup took too long. Start again.',
      factor_suspended: 'Your authenticator app is suspended after too many wrong codes.',
      last_way_to_sign_in:
        'This provider is the only way to sign in to your account. Choose a password by email: that disconnects the provider too.',
      no_second_factor: 'Add a passkey or an authenticator app first.',
      passkey_already_registered: 'This passkey belongs to an account already.',
      passkey_name_invalid: 'Enter a name of 1 to 64 characters.',
      passkey_refused: 'The passkey could not be added. Start again.',
      passkey_too_new: 'This passkey was added less than 24 hours ago.',
      reset_not_due: 'The waiting time is not over yet.',
      reset_not_found: 'This request no longer exists.',
      reset_not_stopped:
        'A second factor from the last 14 days, or from before your last new password, cannot stop this. Choose a new password by email: that does.',
      too_many_passkeys: 'You have 10 passkeys already. Remove one first.',
      totp_exists: 'An authenticator app is set up already. Remove it first.',
    },
    passkeys: {
      title: 'Passkeys',
      lead: 'Sign in with your fingerprint, your face, your device’s PIN or a security key. A passkey cannot be phished.',
      none: 'No passkeys yet.',
      add: 'Add a passkey',
      manage: (name: string) => html`Manage<span class=spoken> ${name}</span>`,
      added: (day: string) => `Added ${day}`,
      lastUsed: (day: string) => `last used ${day}`,
      neverUsed: 'not used yet',
      synced: 'Synced',
      thisDevice: 'On one device',
    },
    newPasskey: {
      title: 'Add a passkey',
      lead: 'Give it a name that you will recognize. Then your browser asks where to save it.',
      name: 'Name',
      defaultName: (number: number) => `Passkey ${number}`,
      button: 'Create passkey',
      noscript: 'Passkeys need JavaScript. Turn it on for this page, or use an authenticator app.',
      unsupported: 'This browser does not support passkeys. Use a newer one, or an authenticator app.',
      failed: 'No passkey was created. Try again, or choose another place to keep it.',
      existing: 'This device has a passkey for your account already.',
      address: 'Browsers keep no passkeys for this address. On your own machine, open it as localhost.',
    },
    passkey: {
      title: 'Passkey',
      rename: 'Save name',
      removeTitle: 'Remove this passkey',
      removeLead:
        'It no longer signs you in. Also delete it in your browser or password manager, which still offers it otherwise.',
      last: 'Without a passkey and an authenticator app, your password alone signs you in.',
      remove: 'Remove passkey',
    },
    totp: {
      title: 'Authenticator app',
      lead: 'An app on your phone shows a code that you enter after your password.',
      since: (day: string) => `Set up ${day}`,
      none: 'Not set up.',
      add: 'Set up an authenticator app',
      manage: html`Manage<span class=spoken> the authenticator app</span>`,
      removeTitle: 'Remove the authenticator app',
      removeLead:
        'Its codes no longer work. Without a passkey, your password alone signs you in. To change phones, remove it and set it up again.',
      remove: 'Remove authenticator app',
    },
    newTotp: {
      title: 'Set up an authenticator app',
      scan: 'Scan this code with your authenticator app:',
      qrCode: 'QR code with the key below',
      key: 'Or enter this key by hand:',
      code: 'Code that the app shows',
      button: 'Confirm',
    },
    codes: {
      title: 'Recovery codes',
      lead: 'They get you in when you have lost your passkeys and your phone. Each works once, after your password.',
      needFactor: 'You can create them once you have a passkey or an authenticator app.',
      left: (left: number) => (left === 1 ? '1 of 10 left' : `${left} of 10 left`),
      none: 'You have none.',
      offer: 'Create recovery codes now, so that a lost device does not lock you out.',
      create: 'Create recovery codes',
      replace: 'Create new ones',
      replaceWarning: 'The codes that you have now stop working.',
    },
    providers: {
      title: 'Connected providers',
      lead: 'Your account at a provider signs you in here, without your password.',
      since: (day: string) => `Connected ${day}`,
      off: 'Off since your new password or address',
      manage: (name: string) => html`Disconnect<span class=spoken> ${name}</span>`,
      disconnectTitle: (name: string) => `Disconnect ${name}?`,
      disconnectLead: (name: string) =>
        `${name} no longer signs you in. Your account there stays. You can connect it again when you sign in.`,
      disconnect: 'Disconnect',
      onlyWay: (name: string) =>
        `Your account has no password, so ${name} is the only way to sign in to it. Choose a password by email: that disconnects ${name} too.`,
      choosePassword: 'Choose a password',
    },
    newCodes: {
      title: 'Your recovery codes',
      lead: 'They are shown only now. Print them or store them in your password manager, not on the device that you sign in with.',
      copy: 'Your recovery codes, to copy',
      download: 'Download as a text file',
      file: 'recovery-codes.txt',
      stored: 'I have stored them',
    },
    ownReset: {
      text: 'The removal of your passkeys, your authenticator app and your recovery codes was requested with your password. If this wasn’t you, stop it and change your password.',
      awaits: 'It takes effect only after you confirm it by email.',
      from: (day: string) => `They are removed on ${day}.`,
      stop: 'Stop the removal',
    },
    reset: {
      title: 'A member lost their second factors',
      asks: (username: string, email: string, organization: string) =>
        html`<strong>${username}</strong> (${email}), a member of <strong>${organization}</strong>, asks for the removal of the passkeys, the authenticator app and the recovery codes of their account.`,
      requested: (day: string) => `Requested ${day}.`,
      warning:
        'Ask them in person or by phone whether that is so, because someone with their password and their mailbox can send this request too. A day after your approval, their password alone signs them in; without it, 7 days after they confirmed by email.',
      approve: 'Approve',
      approved: 'This request is approved.',
      gone: {
        title: 'This request no longer exists',
        text: 'It was withdrawn, is done, or is not for you to approve.',
      },
    },
  },

  consent: {
    title: (client: string) => `Allow ${client}?`,
    heading: (client: string) => `Allow ${client} to use your account?`,
    redirect: (destination: Html) => html`You will be redirected to ${destination}.`,
    thisDevice: (host: string) => html`an app on this device (<strong>${host}</strong>)`,
    signedInAs: (email: string) => html`Signed in as <strong>${email}</strong>`,
    switchAccount: 'Use another account',
    itCan: 'It acts on your behalf and can:',
    permissions: [
      'see and change your profile',
      'see your organizations and, depending on your role, manage their members, purchases and subscriptions',
    ],
    scopes: {
      openid: 'know that it is you who signs in',
      profile: 'see your username and your organizations',
      email: 'see your email address',
      offline_access: 'keep this access while you are not using it, for up to 30 days',
      'entitlements:read': 'see what your organizations have bought',
      'billing:read':
        'see subscriptions, invoices and payment methods of your organizations, as far as your role allows',
      'billing:write': 'buy, change and cancel for your organizations, as far as your role allows',
      'members:read': 'see the members of your organizations',
      'audit_log:read': 'see who changed what in your organizations, as far as your role allows',
      'events:read': 'see the events of your organizations, as far as your role allows',
    },
    nothing: 'It asks for nothing: it neither learns who you are nor acts on your behalf.',
    allow: 'Allow',
    deny: 'Cancel',
    warning: 'It never sees your password. Allow it only if you trust it and started this yourself.',
  },

  device: {
    title: 'Connect a device',
    lead: 'Enter the code that your device or your command line shows.',
    label: 'Code',
    rule: '8 letters, such as WDJB-MJHT. Capitals and the hyphen don’t matter.',
    button: 'Continue',
    warning: 'Enter only a code that you asked for yourself. If you got it from another person, close this page.',
    unknown_code: 'This code is not valid, or no longer. Check it, or let your device show a new one.',
    asked: (code: Html, ago: string) => html`The device shows the code ${code}. It asked ${ago}.`,
    ownNetwork: (address: string) => html`It asked from the network that you use now (<strong>${address}</strong>).`,
    otherNetwork: (address: string) =>
      html`It asked from another network than yours (<strong>${address}</strong>). If that is not your device, cancel.`,
    allowed: {
      title: 'Your device is connected',
      text: (client: string) =>
        `${client} may use your account now. You can close this page and go back to your device.`,
    },
    denied: {
      title: 'The device was refused',
      text: (client: string) => `${client} gets no access. You can close this page.`,
    },
  },

  provider: {
    unnamed: 'the provider',
    connect: (provider: string) => `Connect ${provider}?`,
    connectLead: (provider: string, email: string | undefined) =>
      html`Your account at <strong>${provider}</strong>${email !== undefined && html` (${email})`} will sign you in to this account from now on.`,
    connectButton: 'Connect',
    notNow: 'Not now',
    signInFirst: (provider: string) =>
      `To connect ${provider}, sign in to your account once more by another way. After that ${provider} signs you in.`,
    problems: {
      unknown_provider: {
        title: 'This way to sign in does not exist',
        text: () => 'It may have been switched off. Sign in by another way.',
      },
      unreachable: {
        title: 'The provider does not answer',
        text: (provider: string) =>
          `We cannot reach ${provider} at the moment. Try again later, or sign in by another way.`,
      },
      expired: {
        title: 'This sign-in is over',
        text: () =>
          'It took longer than 15 minutes, was finished already, or was begun in another browser. Start again.',
      },
      denied: {
        title: 'You were not signed in',
        text: (provider: string) => `${provider} did not sign you in. If you canceled by mistake, start again.`,
      },
      answer_refused: {
        title: 'We cannot trust the answer',
        text: (provider: string) =>
          `The answer of ${provider} did not pass our checks, so you are not signed in. Start again, or sign in by another way.`,
      },
      account_off: {
        title: 'This account is switched off',
        text: () => 'If you have asked for its deletion, the mail about it has a link that restores it.',
      },
      already_connected: {
        title: 'Already connected',
        text: (provider: string) => `This account at ${provider} is connected to an account here. Sign in with it.`,
      },
      foreign_address: {
        title: 'This address is not one of the company',
        text: (provider: string) =>
          `${provider} can sign in only people with a verified email address at its own domain, to an account with such an address. Sign in by another way.`,
      },
    },
  },
  addFactor: {
    title: 'Add a second factor',
    lead: (organizations: readonly string[]) =>
      `${formatList(organizations, 'en')} ${organizations.length === 1 ? 'requires' : 'require'} a second factor of every member.`,
    untilThen: 'It can be a passkey or an authenticator app. Until you add one, you can use everything else.',
    link: 'Add one now',
    notNow: 'Not now',
  },
  chooseAccount: {
    select_account: {
      title: 'Choose an account',
      lead: (client: string) => `Continue to ${client} with this account, or use another one.`,
    },
    other_user: {
      title: 'Another account is expected',
      lead: (client: string) => `${client} asks for another account than the one you are signed in with.`,
    },
    continue: 'Continue',
    back: (client: string) => `Back to ${client}`,
  },

  signOut: {
    title: 'Sign out?',
    asks: (client: string) => html`<strong>${client}</strong> asks to sign you out.`,
    ends: (name: string) =>
      `This ends your session in this browser and signs you out of the ${name} applications that you opened here. Applications of others keep the access that you allowed them.`,
    button: 'Sign out',
    hint: 'If you didn’t request this, close this page to stay signed in.',
    done: { title: 'You are signed out', text: 'You can close this page.' },
  },

  untrusted: {
    unknown_client: {
      title: 'Unknown application',
      text: 'We don’t recognize the application that sent you here. Nothing was changed.',
    },
    untrusted_redirect_uri: {
      title: 'This link cannot be used',
      text: 'The application that sent you here asked for a redirect to an address that is not registered for it. Nothing was changed.',
    },
    untrusted_hint: {
      title: 'This link cannot be used',
      text: 'The application that sent you here named a sign-in that is not one of its own. Nothing was changed.',
    },
    repeated_parameter: {
      title: 'This link cannot be used',
      text: 'The application that sent you here repeated a parameter. Nothing was changed.',
    },
  },

  forms: {
    register: {
      title: 'Create an account',
      lead: 'We’ll send a link to your email address to confirm that it’s yours.',
      button: 'Create account',
    },
    forgot_password: {
      title: 'Forgot your password?',
      lead: 'Enter the email address of your account. We’ll send you a link to choose a new password.',
      button: 'Send link',
    },
    resend_verification: {
      title: 'Confirm your email address',
      lead: 'Open the link in our confirmation email. If you can’t find it, we’ll send you another one.',
      button: 'Send link again',
    },
  },
  mailSent: {
    title: 'Check your email',
    text: (email: string) => html`We sent the next step to <strong>${email}</strong>.`,
    hint: 'Nothing in your inbox? Look in the spam folder, or',
    again: 'send it again',
  },

  links: {
    verify_email: {
      title: 'Confirm your email address',
      button: 'Confirm email address',
      done: { title: 'Email address confirmed', text: 'You can sign in now.' },
    },
    change_email: {
      title: 'Confirm your new email address',
      lead: 'Press the button to use this email address for your account.',
      button: 'Confirm new email address',
      done: { title: 'Email address changed', text: 'Use your new email address to sign in from now on.' },
    },
    undo_email_change: {
      title: 'Undo the change of your email address',
      lead: 'Your account gets this email address back, and all devices are signed out.',
      button: 'Undo the change',
      done: {
        title: 'Your email address is back',
        text: 'All devices were signed out. If someone else changed the address, they know your password: choose a new one now.',
      },
    },
    undo_factor: {
      title: 'Remove what was added?',
      lead: 'It is removed from your account, and all devices are signed out. Choose a new password: someone may know yours.',
      button: 'Remove and set password',
      done: {
        title: 'Removed, and password changed',
        text: 'All devices were signed out. Sign in with your new password.',
      },
    },
    reset_password: {
      title: 'Choose a new password',
      lead: 'You will be signed out on all devices.',
      button: 'Set password',
      done: { title: 'Password changed', text: 'Sign in with your new password.' },
    },
    confirm_factor_reset: {
      title: 'Remove your second factors?',
      lead: 'If you have lost your passkeys, your authenticator app and your recovery codes, press the button: they are removed in 7 days, and your password alone signs you in. If you did not ask for this, close this page and choose a new password: someone knows yours.',
      button: 'Remove them in 7 days',
    },
    restore_account: {
      title: 'Keep your account?',
      lead: 'Your account is scheduled for deletion. Press the button to keep it, with the organizations that would be deleted with it.',
      button: 'Keep my account',
      done: { title: 'Your account stays', text: 'Nothing was deleted. You can sign in again.' },
      newPassword: 'You didn’t ask for the deletion? Choose a new password',
    },
  },
  afterReset: {
    signed_in: 'You are signed in with your new password.',
    pending: 'Show your second factor to finish signing in.',
    next: 'Continue',
  },
  ownAuthenticators: {
    names: { totp: 'Authenticator app', recovery_codes: 'Recovery codes' },
    passkey: (name: string) => `Passkey “${name}”`,
    added: (time: string) => `Added ${time} UTC`,
    from: (place: string) => `from ${place}`,
    legend: 'Second factors added in the last 14 days',
    lead: 'They are removed with the reset, because someone with your old password may have added them. Untick those that you added yourself.',
    older: 'These are older, and stay:',
  },
  emailChange: {
    current: 'To use this email address for your account, enter the password of the account.',
    unexpected: 'If you didn’t ask for this, close this page: nothing will change.',
  },
  verification: {
    signedIn: 'You are signed in.',
    account: (email: string, username: string) =>
      html`This confirms <strong>${email}</strong> for the account with the username <strong>${username}</strong>.`,
    current: 'To show that you created this account, enter the password that you chose for it.',
    choose: 'Choose a new password instead',
    new: 'Choose a password for this account. It replaces the one that the account was created with.',
    newButton: 'Set password and confirm',
    unexpected: 'If you didn’t create this account, close this page: nothing will be confirmed.',
  },
  deadLink: {
    title: 'This link no longer works',
    used: 'This link was already used. If you used it yourself, you are done: just sign in.',
    expired: 'The link has expired, or your account has changed since.',
    unknown: 'It was already used, has expired, or was not copied as a whole.',
    again: 'Enter your email address to get a new link.',
  },

  invitation: {
    title: (organization: string) => `Join ${organization}`,
    lead: (inviter: string, organization: string, role: Role) =>
      html`<strong>${inviter}</strong> invites you to join the organization <strong>${organization}</strong> as ${roles[role]}.`,
    sign_in: 'You have an account with this email address. Sign in to join.',
    register: 'Create your account to join. The invitation has already confirmed your email address.',
    claim:
      'An account was created with this email address, but never confirmed. Choose a username and a password for it to join.',
    accept: 'Join',
    otherUser: (email: string) =>
      html`The invitation is for <strong>${email}</strong>. Use the account with that address to join.`,
    buttons: {
      sign_in: 'Sign in and join',
      register: 'Create account and join',
      claim: 'Take the account and join',
    },
    done: {
      title: (organization: string) => `Welcome to ${organization}`,
      text: (role: Role) => `You are now ${roles[role]} of the organization.`,
    },
    unknown: {
      title: 'This invitation is not valid',
      text: 'Check that you copied the whole link. If you did, ask the person who invited you for a new invitation.',
    },
    expired: {
      title: 'This invitation has expired',
      text: 'Ask the person who invited you to send a new one.',
    },
    void: {
      title: 'This invitation no longer works',
      text: 'It was withdrawn or replaced by a newer one. Look for a newer email, or ask the person who invited you.',
    },
    used: {
      title: 'This invitation was already accepted',
      text: 'If that was you, you are already a member: sign in to see the organization.',
    },
    already_member: { title: 'You are already a member', text: 'There is nothing left to do.' },
  },

  errors: {
    incompleteLink: { title: 'This link is incomplete', text: 'Open it from the email again, or copy the whole link.' },
    emailTaken: {
      title: 'This email address is taken',
      text: 'Another account uses this email address. Nothing was changed.',
    },
    tooManyAttempts: { title: 'Too many attempts', text: 'Wait a few minutes, then try again.' },
    formIncomplete: { title: 'The form is incomplete', text: 'Please start again.' },
    foreignForm: {
      title: 'Please start again',
      text: 'This form belongs to another session, or your browser blocked our cookie. Nothing was changed.',
    },
    formTooLarge: { title: 'The form is too large', text: 'Shorten your entries, then try again.' },
    tooManyRequests: { title: 'Too many requests', text: 'Your network sent too many requests.' },
    unavailable: {
      title: 'Service unavailable',
      text: 'The service is temporarily unavailable. It is safe to try again.',
    },
    unknown: { title: 'Something went wrong', text: 'This is an error on our side. Please try again later.' },
  },

  mails: {
    openLink: 'If the button doesn’t work, open this link:',
    support: (where: string) => `Questions? ${where}`,
    verifyEmail: {
      subject: 'Confirm your email address',
      text: 'You created an account with this email address. Confirm that the address is yours to use your account.',
      action: 'Confirm email address',
      once,
      unexpected: 'If you didn’t create an account, you can ignore this email.',
    },
    resetPassword: {
      subject: 'Reset your password',
      text: 'We received a request to reset the password of your account.',
      action: 'Choose a new password',
      once,
      unexpected: 'If you didn’t request this, you can ignore this email. Your password won’t change.',
    },
    secondStepFailed: {
      subject: 'Someone knows your password and failed the second step',
      text: 'In a browser that has not signed in to your account before, someone entered your password and then a wrong code. They did not get in. If this wasn’t you, choose a new password now: it ends every session and every sign-in that was begun.',
      action: 'Choose a new password',
      once,
      unexpected:
        'If you mistyped a code yourself, you need do nothing. We send this email once a day at most, however often it happens.',
    },
    newSignIn: {
      subject: 'New sign-in to your account',
      text: ({ browser, at, place, sourceIp }: NewSignInFacts) =>
        `Someone signed in to your account in a browser that had not signed in to it before: ${[browser ?? 'an unknown browser', `on ${at}`, place, sourceIp && `IP address ${sourceIp}`].filter(Boolean).join(', ')}. If this wasn’t you, choose a new password now: it ends every session.`,
      action: 'Choose a new password',
      once,
      unexpected:
        'If this was you, you don’t need to do anything. You can switch these emails off in the console, under “Your activity”.',
    },
    emailChangeConfirm: {
      subject: 'Confirm your new email address',
      text: 'We received a request to use this email address for an account. Confirm that the address is yours to complete the change.',
      action: 'Confirm new email address',
      once,
      unexpected: 'If you didn’t request this, you can ignore this email. Nothing will change.',
    },
    emailChangeNotice: {
      subject: 'Your email address is about to change',
      text: 'We received a request to change the email address of your account. It was made by a signed-in user with your current password. Once the new address is confirmed, you can no longer sign in with this one.',
      action: 'Choose a new password',
      unexpected:
        'If this wasn’t you, choose a new password now: that also cancels the request. You need only this mailbox for it.',
    },
    emailChanged: {
      subject: 'Your email address was changed',
      text: 'Your account now has another email address, and you can no longer sign in with this one. If this wasn’t you, undo the change: this address comes back, and all devices are signed out.',
      action: 'Undo the change',
      once,
      unexpected: 'If you made the change, you can ignore this email.',
    },
    newEmailInUse: {
      subject: 'This is now your email address',
      text: 'The email address of your account was changed to this one. Use it to sign in from now on.',
      unexpected: 'The change can be undone from your old address for 7 days.',
    },
    emailChangeUndone: {
      subject: 'The change of your email address was undone',
      text: 'The change to this email address was undone from the old address. You can no longer sign in with this one, and all devices were signed out.',
      unexpected:
        'If this wasn’t you, sign in with your old email address, or choose “Forgot password?” on the sign-in page.',
    },
    passwordChanged: {
      subject: 'Your password was changed',
      text: 'The password of your account was changed. You were signed out everywhere else.',
      action: 'Choose a new password',
      unexpected:
        'If this wasn’t you, choose a new password now. You need only this mailbox for that: no sign-in and no second factor.',
    },
    factorResetRequested: {
      subject: 'Confirm the removal of your second factors',
      text: 'Someone who entered your password asks for the removal of the passkeys, the authenticator app and the recovery codes of your account. If you have lost them, confirm it: they are removed 7 days later. Without your confirmation nothing is removed.',
      action: 'Confirm the removal',
      once,
      unexpected:
        'If this wasn’t you, someone knows your password: choose “Forgot password?” on the sign-in page. That also ends the request.',
    },
    factorResetApproved: {
      subject: 'Removal of your second factors approved',
      text: (time: string) =>
        `An owner of your organization has approved the removal of the passkeys, the authenticator app and the recovery codes of your account. They are removed on ${time}, and all devices are signed out. Sign in with your password then.`,
      action: 'Stop it with a new password',
      unexpected: 'If you did not ask for this, choose a new password now: that stops the removal.',
    },
    factorResetReminder: {
      subject: 'Your second factors will be removed',
      text: (time: string) =>
        `The passkeys, the authenticator app and the recovery codes of your account are removed on ${time}, as you confirmed by email. All devices are signed out then, and your password alone signs you in.`,
      action: 'Stop it with a new password',
      unexpected: 'If you did not ask for this, choose a new password now: that stops the removal.',
    },
    factorRemovalByOperator: {
      subject: 'Our support will remove your second factors',
      text: (time: string) =>
        `Our support was asked to remove the passkeys, the authenticator app and the recovery codes of your account. They are removed on ${time}. All devices are signed out then, and your password alone signs you in.`,
      action: 'Stop the removal',
      unexpected:
        'If you did not ask for this, stop it: sign in with a passkey, an app or a recovery code that you have had for more than 14 days. A new password alone does not stop it.',
    },
    factorResetCanceled: {
      subject: 'Your second factors stay',
      text: 'The request to remove the passkeys, the authenticator app and the recovery codes of your account was canceled by someone who signed in with a second factor.',
      action: 'Choose a new password',
      unexpected:
        'If you did not make the request, someone knows your password: choose a new one. If you made it and did not cancel it, ask your organization’s owner for help.',
    },
    factorResetDone: {
      subject: 'Your second factors were removed',
      text: 'The passkeys, the authenticator app and the recovery codes of your account were removed. Your password alone signs you in now, and all devices were signed out. Set up a second factor again soon; if anyone else may know your password, choose a new one first.',
      action: 'Choose a new password',
      unexpected:
        'If this wasn’t you, choose a new password now: you need only this mailbox for that. Then set up a second factor.',
    },
    totpLost: {
      subject: 'Set up your authenticator app again',
      text: 'The service can no longer check the codes of your authenticator app, through no fault of yours. We removed the app from your account. Your passkeys and recovery codes stay. Without a passkey your password alone signs you in until you set the app up again.',
      action: 'Set up the app',
      unexpected: 'The entry in your app no longer works: delete it, and scan the new code.',
    },
    factorResetApprovalAsked: {
      subject: 'A member lost their second factors',
      text: (username: string, email: string) =>
        `${username} (${email}) asks for the removal of the passkeys, the authenticator app and the recovery codes of their account. Ask them in person or by phone whether that is so, because someone with their password and their mailbox can send this request too. A day after your approval, their password alone signs them in; without it, 7 days after they confirmed by email.`,
      action: 'View request',
      unexpected: 'If you do nothing, they wait for 7 days.',
    },
    passkeyAdded: {
      subject: 'A passkey was added to your account',
      text: `A passkey was added to your account. It can be used to sign in. ${undoAddition}`,
      action: 'Remove it and choose a new password',
      once,
      unexpected: 'If you added it, you can ignore this email.',
    },
    passkeyRemoved: {
      subject: 'A passkey was removed from your account',
      text: 'A passkey was removed from your account. It no longer signs you in.',
      action: 'Choose a new password',
      unexpected: resetAndRemove,
    },
    totpAdded: {
      subject: 'An authenticator app was added to your account',
      text: `An authenticator app was set up for your account. Its codes are asked for when you sign in. ${undoAddition}`,
      action: 'Remove it and choose a new password',
      once,
      unexpected: 'If you set it up, you can ignore this email.',
    },
    totpRemoved: {
      subject: 'The authenticator app was removed from your account',
      text: 'The authenticator app was removed from your account. Its codes no longer sign you in.',
      action: 'Choose a new password',
      unexpected: resetAndRemove,
    },
    recoveryCodesCreated: {
      subject: 'New recovery codes for your account',
      text: `New recovery codes were created for your account. All earlier ones no longer work. ${undoAddition}`,
      action: 'Remove them and choose a new password',
      once,
      unexpected: 'If you created them, you can ignore this email.',
    },
    providerConnected: {
      subject: 'Another way to sign in was connected',
      text: 'From now on an account at another provider signs in to your account.',
      action: 'Choose a new password',
      unexpected:
        'If this wasn’t you, choose a new password now: it disconnects the provider. You need only this mailbox for that.',
    },
    providerDisconnected: {
      subject: 'A way to sign in was disconnected',
      text: 'An account at another provider was disconnected from your account. It no longer signs you in.',
      action: 'Choose a new password',
      unexpected: resetAndRemove,
    },
    factorUndone: {
      subject: 'An added second factor was removed',
      text: 'A link in an email about an added second factor was used: the factor was removed, with everything added since. Your account has a new password, and all devices were signed out.',
      action: 'Choose a new password',
      unexpected: 'If this wasn’t you, choose a new password now. You need only this mailbox for that.',
    },
    recoveryCodeUsed: {
      subject: 'A recovery code was used',
      text: (left: number) =>
        `A recovery code was used to sign in to your account. ${left === 1 ? '1 code is' : `${left} codes are`} left. Create new ones on the page “Sign-in and security” before they run out.`,
      action: 'Choose a new password',
      unexpected:
        'If this wasn’t you, choose a new password now: you need only this mailbox for that. Then create new recovery codes.',
    },
    accountExists: {
      subject: 'You already have an account',
      text: 'We received a request to create an account with this email address, but you already have one. Sign in as usual, or choose “Forgot password?” on the sign-in page.',
      unexpected: 'If this wasn’t you, you can ignore this email. Your account has not changed.',
    },
    alreadyVerified: {
      subject: 'Your email address is already confirmed',
      text: 'We received a request to confirm the email address of your account. It is already confirmed: sign in as usual.',
      unexpected: 'If this wasn’t you, you can ignore this email.',
    },
    deletionScheduled: {
      subject: 'Your account will be deleted',
      text: (date: string) =>
        `You asked for the deletion of your account. You are signed out everywhere, and on ${date} or shortly after everything personal is erased. Until then you can keep the account. Organizations that you alone are a member of are deleted with it.`,
      action: 'Keep my account',
      unexpected: 'If you didn’t ask for this, keep your account with this link and choose a new password.',
    },
    deletionReminder: {
      subject: 'Your account will be deleted soon',
      text: (date: string) =>
        `As you asked, your account will be deleted on ${date} or shortly after. This is the last chance to keep it.`,
      action: 'Keep my account',
      unexpected: 'If you still want it to be deleted, you don’t need to do anything.',
    },
    deletionPending: {
      subject: 'Your account is being deleted',
      text: (date: string) =>
        `Someone entered this address to sign in, to register or to reset a password. The account with this address will be deleted on ${date} or shortly after. To use it again, keep it first.`,
      action: 'Keep my account',
      unexpected: 'If this wasn’t you, or you still want it to be deleted, you can ignore this email.',
    },
    accountErased: {
      subject: 'Your account was deleted',
      text: 'Your account and everything personal in it was erased, as you asked. This is the last email about it.',
      kept: 'Invoices that the law obliges us to keep remain with our payment provider.',
    },
    organizationDeletionScheduled: {
      subject: (organization: string) => `“${organization}” will be deleted`,
      text: (organization: string, date: string) =>
        `An owner scheduled the deletion of the organization “${organization}”. On ${date} or shortly after it is erased, with its members, invitations and billing details. Until then any owner can restore it in its settings.`,
      unexpected: 'If this is as you want it, you don’t need to do anything.',
    },
    organizationDeletionReminder: {
      subject: (organization: string) => `“${organization}” will be deleted soon`,
      text: (organization: string, date: string) =>
        `As an owner asked, the organization “${organization}” will be deleted on ${date} or shortly after. This is the last chance to restore it in its settings.`,
      unexpected: 'If this is as you want it, you don’t need to do anything.',
    },
    domainMissing: {
      subject: (domain: string) => `The record of ${domain} is missing`,
      text: (domain: string, date: string) =>
        `We did not find the TXT record that proves that ${domain} belongs to your organization. If it is still missing on ${date}, your organization loses the domain.`,
      unexpected: 'You find the record on the page “Domains”. If you gave the domain up, delete it there.',
    },
    domainLost: {
      subject: (domain: string) => `Your organization has lost ${domain}`,
      text: (domain: string) =>
        `We did not find the TXT record of ${domain} three times in a row. The domain no longer counts as yours: no one joins by it, and another organization can verify it.`,
      unexpected: 'Members stay members. To get the domain back, set the record again and verify the domain.',
    },
    organizationErased: {
      subject: (organization: string) => `“${organization}” was deleted`,
      text: (organization: string) =>
        `The organization “${organization}” was deleted, with its members, invitations and billing details.`,
      kept: 'Invoices that the law obliges us to keep remain with our payment provider.',
    },
    ownership: {
      owner: {
        subject: 'You are now an owner of an organization',
        text: (actor: string, organization: string) =>
          `${actor} made you an owner of the organization “${organization}”. Owners manage members, billing and the organization itself.`,
      },
      deposed: {
        subject: 'You are no longer an owner of an organization',
        text: (actor: string, organization: string) =>
          `${actor} took away your role as an owner of the organization “${organization}”. You are still a member.`,
      },
      removed: {
        subject: 'You were removed from an organization',
        text: (actor: string, organization: string) => `${actor} removed you from the organization “${organization}”.`,
      },
      unexpected: 'If you did not expect this, ask the other owners, or our support.',
    },
    ownersChanged: {
      subject: 'The owners or members of your organization have changed',
      owner: (actor: string, member: string, organization: string) =>
        `${actor} made ${member} an owner of the organization “${organization}”.`,
      joined: (_: string, member: string, organization: string) =>
        `${member} accepted an invitation and is now an owner of the organization “${organization}”.`,
      deposed: (actor: string, member: string, organization: string) =>
        `${actor} took away the role of ${member} as an owner of the organization “${organization}”.`,
      removed: (actor: string, member: string, organization: string) =>
        `${actor} removed ${member} from the organization “${organization}”.`,
      left: (_: string, member: string, organization: string) =>
        `${member} is no longer an owner of the organization “${organization}”, by their own decision.`,
      transferred: (actor: string, member: string, organization: string) =>
        `${actor} transferred the ownership of the organization “${organization}” to ${member}.`,
      unexpected:
        'If this is not as you want it, look at the members of the organization now. Every owner gets this email.',
    },
    apiClientChanged: {
      subject: 'An API client of your organization has changed',
      created: (actor: string, client: string, organization: string) =>
        `${actor} created the API client “${client}” of the organization “${organization}”. It acts for the organization without a person.`,
      rotated: (actor: string, client: string, organization: string) =>
        `${actor} gave the API client “${client}” of the organization “${organization}” a new secret.`,
      deleted: (actor: string, client: string, organization: string) =>
        `${actor} deleted the API client “${client}” of the organization “${organization}”.`,
      unexpected:
        'If this is not as you want it, look at the API clients of the organization now. Every owner gets this email.',
    },
    endpoint_disabled: {
      subject: 'An endpoint for events was disabled',
      text: (host: string) =>
        `Your organization’s endpoint at ${host} has accepted no event for five days. It is disabled and gets no more events. When it works again, enable it in the application; the events of the last 30 days are listed there.`,
      unexpected: 'Every owner of the organization gets this email.',
    },
    money: {
      card: (brand: string, last4: string) => `${brand} ending in ${last4}`,
      every: {
        day: (count: number) => (count === 1 ? 'a day' : `every ${count} days`),
        week: (count: number) => (count === 1 ? 'a week' : `every ${count} weeks`),
        month: (count: number) => (count === 1 ? 'a month' : `every ${count} months`),
        year: (count: number) => (count === 1 ? 'a year' : `every ${count} years`),
      },
      bought: {
        subject: (products: string) => `You bought ${products}`,
        text: (organization: string) => `The organization “${organization}” bought:`,
        line: (product: string, amount: string, every: string) => `${product}: ${amount} ${every}`,
        note: 'A subscription renews until someone cancels it. Discounts and tax are on the invoice, which you find in the application.',
      },
      canceled: {
        subject: (products: string) => `Canceled: ${products}`,
        text: (organization: string) => `Canceled for the organization “${organization}”:`,
        ends: (product: string, day: string) => `${product}: ends on ${day} and is not renewed`,
        ended: (product: string) => `${product}: has ended`,
        note: 'Until it ends you can use it, and resume it in the application. After that, buy it again if you need it.',
      },
      payment_failed: {
        subject: (products: string) => `Payment failed: ${products}`,
        text: (organization: string) =>
          `We could not charge the card of the organization “${organization}” for the next period of:`,
        line: (product: string, amount: string, day: string) => `${product}: ${amount}. We try again on ${day}.`,
        action: 'Pay now',
        note: 'You can pay with this card or another. If your bank wants a confirmation, you give it there. If nothing is paid, the subscription ends.',
      },
      invoice_sent: {
        subject: (products: string) => `Invoice for ${products}`,
        text: (organization: string) => `There is a new invoice for the organization “${organization}”. It is for:`,
        action: 'View the invoice',
        note: 'The invoice says by when to pay it, and how. All invoices are in the application, too.',
      },
      card_expiring: {
        subject: 'Your card expires next month',
        text: (organization: string, cards: string, month: string) =>
          `The organization “${organization}” pays with a card that is valid until the end of ${month}: ${cards}. Add another card before then, so that no payment fails.`,
        action: 'Add a card',
        note: 'If your bank has sent you a new card with the same number, add it with its new date.',
      },
    },
    invitation: {
      subject: 'You’re invited to join an organization',
      text: (inviter: string, organization: string, role: Role) =>
        `${inviter} invited you to join the organization “${organization}” as ${roles[role]}.`,
      noAccountNeeded: 'If you don’t have an account yet, you can create one with the invitation.',
      action: 'View invitation',
      once,
      unexpected: 'If you don’t know the sender, you can ignore this email.',
    },
  },
}

export type Texts = typeof en
