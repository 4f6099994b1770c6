import { formatDuration, formatList, formatWait } from '../core/format.ts'
import { html } from '../core/html.ts'
import type { Texts } from './en.ts'

const roles = { owner: 'Inhaber', billing_admin: 'Abrechnungsverwaltung', member: 'Mitglied' } as const

const once = (minutes: number) =>
  `Der Link funktioniert nur einmal und ist ${formatDuration(minutes, 'de')} lang gültig.`

const undoAddition =
  'Wenn Sie das nicht waren, machen Sie es jetzt rückgängig: Sie wählen ein neues Passwort, und alle Geräte werden abgemeldet. Dafür genügt diese E-Mail, ohne zweiten Faktor.'
const resetAndRemove =
  'Falls Sie das nicht waren, wählen Sie jetzt ein neues Passwort: Dafür brauchen Sie nur dieses Postfach. Die Seite entfernt auch zweite Faktoren, die jemand anderes hinzugefügt hat.'

/** The texts of pages and mails in German. Headings have hyphens (U+2011) at which no line breaks. */
export const de: Texts = {
  errorTitle: (title) => `Fehler: ${title}`,
  footer: { support: 'Hilfe', terms: 'AGB', privacy: 'Datenschutz' },
  next: {
    signIn: 'Anmelden',
    openApplication: (name) => `${name} öffnen`,
    tryAgain: 'Erneut versuchen',
    createAccount: 'Konto erstellen',
  },
  wait: (seconds) => `Versuchen Sie es in ${formatWait(seconds, 'de')} erneut.`,

  fields: {
    email: 'E-Mail-Adresse',
    username: 'Benutzername',
    usernameRule:
      'Für andere sichtbar. 3 bis 32 Buchstaben (a–z) und Ziffern, dazwischen auch Punkte, Binde- oder Unterstriche.',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    passwordRule: 'Mindestens 8 Zeichen. Gut geeignet sind einige Wörter, die Sie sonst nirgends verwenden.',
    showPassword: 'Passwort anzeigen',
  },
  problems: {
    email_invalid: 'Geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.',
    username_invalid:
      'Verwenden Sie 3 bis 32 Buchstaben (a–z), Ziffern, Punkte, Binde- oder Unterstriche, mit einem Buchstaben oder einer Ziffer am Anfang und am Ende.',
    username_taken: 'Dieser Benutzername ist bereits vergeben.',
    password_missing: 'Geben Sie Ihr Passwort ein.',
    password_too_short: 'Verwenden Sie mindestens 8 Zeichen.',
    password_too_long: 'Verwenden Sie höchstens 128 Zeichen.',
    password_breached:
      'Dieses Passwort ist durch ein Datenleck bei einem anderen Dienst bekannt geworden. Wählen Sie ein anderes.',
    wrong_credentials:
      'E-Mail-Adresse oder Passwort ist falsch. Wenn Sie sich gerade registriert haben, bestätigen Sie zuerst Ihre Adresse mit dem Link in unserer E-Mail.',
    wrong_password: 'Das Passwort ist falsch.',
  },
  weakPassword: {
    easyToGuess: 'Dieses Passwort ist leicht zu erraten.',
    warnings: {
      straightRow: 'Nebeneinanderliegende Tasten sind leicht zu erraten.',
      keyPattern: 'Kurze Muster auf der Tastatur sind leicht zu erraten.',
      simpleRepeat: 'Ein wiederholtes Zeichen ist leicht zu erraten.',
      extendedRepeat: 'Ein wiederholtes Muster ist leicht zu erraten.',
      sequences: 'Folgen wie „abc“ oder „6543“ sind leicht zu erraten.',
      recentYears: 'Jahreszahlen der letzten Zeit sind leicht zu erraten.',
      dates: 'Ein Datum ist leicht zu erraten.',
      topTen: 'Dies ist eines der zehn häufigsten Passwörter.',
      topHundred: 'Dies ist eines der hundert häufigsten Passwörter.',
      common: 'Dies ist ein häufiges Passwort.',
      similarToCommon: 'Das Passwort ähnelt einem häufigen.',
      wordByItself: 'Ein einzelnes Wort ist leicht zu erraten.',
      namesByThemselves: 'Ein einzelner Name ist leicht zu erraten.',
      commonNames: 'Verbreitete Namen sind leicht zu erraten.',
      userInputs: 'Ihr Name, Ihre Adresse und die Namen dieses Dienstes und Ihrer Organisation sind leicht zu erraten.',
    },
    suggestions: {
      l33t: 'Zeichen anstelle von Buchstaben, etwa „@“ für „a“, helfen kaum.',
      reverseWords: 'Rückwärts geschriebene Wörter helfen kaum.',
      allUppercase: 'Durchgehende Großschreibung hilft kaum.',
      capitalization: 'Ein Großbuchstabe am Anfang hilft kaum.',
      dates: 'Vermeiden Sie Daten, die mit Ihnen zu tun haben.',
      recentYears: 'Vermeiden Sie Jahreszahlen der letzten Zeit.',
      associatedYears: 'Vermeiden Sie Jahreszahlen, die mit Ihnen zu tun haben.',
      sequences: 'Vermeiden Sie Folgen.',
      repeated: 'Vermeiden Sie wiederholte Wörter und Zeichen.',
      longerKeyboardPattern: 'Verwenden Sie längere Muster, die mehrmals die Richtung wechseln.',
      anotherWord: 'Fügen Sie ein oder zwei seltene Wörter hinzu.',
      useWords: 'Verwenden Sie mehrere Wörter, aber keine bekannte Redewendung.',
      noNeed: 'Ziffern, Sonderzeichen und Großbuchstaben sind nicht nötig.',
    },
  },

  signIn: {
    withProvider: (provider) => `Weiter mit ${provider}`,
    companyRequired: (company: string) => `Mitglieder von ${company} melden sich über das Unternehmen an.`,
    title: 'Anmelden',
    failedTitle: 'Anmeldung fehlgeschlagen',
    lead: (client) => html`weiter zu <strong>${client}</strong>`,
    tooManyAttempts: (seconds) => `Zu viele Versuche. Versuchen Sie es in ${formatWait(seconds, 'de')} erneut.`,
    button: 'Anmelden',
    next: 'Weiter',
    otherAddress: 'Andere Adresse verwenden',
    forgotPassword: 'Passwort vergessen?',
    noAccount: 'Noch kein Konto?',
    haveAccount: 'Sie haben bereits ein Konto?',
    expired: 'Diese Anmeldung hat zu lange gedauert oder wurde anderswo beendet. Melden Sie sich erneut an.',
  },

  lostFactor: {
    link: 'Ich habe nichts davon mehr',
    none: {
      title: 'Zweiten Faktor verloren?',
      text: 'Wir können Ihre Passkeys, Ihre Authenticator-App und Ihre Wiederherstellungscodes entfernen, sodass Ihr Passwort allein genügt. Sie bestätigen das mit einem Link in einer E-Mail; 7 Tage danach werden sie entfernt. Stimmt ein anderer Inhaber Ihrer Organisation zu, dauert es einen Tag. Wir schreiben Ihnen vorher eine E-Mail. Die Anfrage endet von selbst, sobald Sie einen Faktor verwenden, den Sie seit mindestens 14 Tagen haben, oder sich Ihr Passwort ändert.',
    },
    unconfirmed: {
      title: 'Bestätigen Sie per E-Mail',
      text: 'Wir haben Ihnen eine E-Mail geschrieben. Es wird nichts entfernt, bis Sie es mit dem Link in dieser E-Mail bestätigen.',
    },
    waiting: {
      title: 'Ihre zweiten Faktoren werden entfernt',
      text: 'Verwenden Sie bis dahin einen davon, den Sie seit mindestens 14 Tagen haben, so bricht das den Vorgang ab. Melden Sie sich danach mit Ihrem Passwort an. Alle Geräte werden abgemeldet.',
    },
    due: {
      title: 'Entfernen Sie Ihre zweiten Faktoren',
      text: 'Die Wartezeit ist vorbei. Danach genügt Ihr Passwort; fügen Sie bald wieder einen zweiten Faktor hinzu.',
    },
    done: {
      title: 'Ihre zweiten Faktoren wurden entfernt',
      text: 'Melden Sie sich mit Ihrem Passwort an, und fügen Sie bald wieder einen zweiten Faktor hinzu.',
    },
    mailedTo: (email) => html`Die E-Mail ging an <strong>${email}</strong>. Sehen Sie auch im Spam-Ordner nach.`,
    effectiveAt: (time) => html`Sie werden am <strong>${time}</strong> entfernt.`,
    askOwners: 'Sie müssen nicht so lange warten, wenn einer dieser Inhaber zustimmt; wir haben ihnen geschrieben:',
    approved: 'Ein Inhaber hat zugestimmt.',
    request: 'Entfernen beantragen',
    send_again: 'E-Mail erneut senden',
    complete: 'Jetzt entfernen',
    back: 'Zurück zur Anmeldung',
  },

  passkey: {
    button: { sign_in: 'Mit Passkey anmelden', second_factor: 'Passkey verwenden' },
    needsScript: 'Passkeys brauchen JavaScript, das in diesem Browser ausgeschaltet ist.',
    failed: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder melden Sie sich anders an.',
    elsewhere: (host) => `Passkeys funktionieren unter ${host}`,
  },
  secondFactor: {
    title: 'Bestätigen Sie, dass Sie es sind',
    signingInAs: (email) => html`Anmeldung als <strong>${email}</strong>`,
    totp: {
      label: 'Code aus Ihrer Authenticator-App',
      rule: 'Die App zeigt alle 30 Sekunden einen neuen. Jeder gilt einmal.',
      button: 'Weiter',
    },
    recovery_code: {
      label: 'Wiederherstellungscode',
      rule: 'Einer der zehn, die Sie bei der Einrichtung aufbewahrt haben. Jeder gilt einmal.',
      button: 'Wiederherstellungscode verwenden',
    },
    useRecoveryCode: 'Stattdessen einen Wiederherstellungscode verwenden',
    code_refused: 'Dieser Code ist falsch oder wurde schon verwendet. Geben Sie den neuesten ein.',
    factor_suspended:
      'Zu viele falsche Codes: Ihre Authenticator-App ist gesperrt. Ein Passkey, ein Wiederherstellungscode oder ein neues Passwort hebt das auf.',
    resetPassword: 'Per E-Mail ein neues Passwort wählen',
    passkey_refused:
      'Dieser Passkey konnte nicht verwendet werden. Versuchen Sie es erneut, oder wählen Sie einen anderen.',
    passkey_too_new:
      'Dieser Passkey wurde vor weniger als 24 Stunden hinzugefügt. Geben Sie bis dahin zuerst Ihr Passwort ein, und verwenden Sie dann den Passkey.',
  },

  security: {
    title: 'Anmeldung und Sicherheit',
    signedInAs: (email) => html`Angemeldet als <strong>${email}</strong>`,
    back: 'Zurück',
    cancel: 'Abbrechen',
    notVerified:
      'Bestätigen Sie zuerst Ihre E-Mail-Adresse. Danach können Sie Passkeys und eine Authenticator-App hinzufügen.',
    done: {
      passkey_added: 'Der Passkey wurde hinzugefügt.',
      passkey_renamed: 'Der Passkey wurde umbenannt.',
      passkey_removed: 'Der Passkey wurde entfernt.',
      totp_added: 'Die Authenticator-App wurde eingerichtet.',
      totp_removed: 'Die Authenticator-App wurde entfernt.',
      provider_disconnected: 'Der Anbieter wurde getrennt.',
      sessions_ended: 'Alle Sitzungen von vor Ihrem zweiten Faktor sind abgemeldet, bis auf diese.',
      reset_approved: 'Sie haben zugestimmt. Das Mitglied wurde per E-Mail benachrichtigt.',
      reset_canceled: 'Ihre zweiten Faktoren bleiben. Die Anfrage wurde zurückgezogen.',
    },
    endSessions: {
      text: 'Andere Browser und Apps bleiben ohne Ihren zweiten Faktor angemeldet. Wenn Sie sie abmelden, fragen sie beim nächsten Mal danach.',
      button: 'Andere Sitzungen abmelden',
    },
    problems: {
      authenticator_not_found: 'Das wurde bereits entfernt.',
      code_refused: 'Dieser Code ist falsch oder abgelaufen. Geben Sie den ein, den die App jetzt anzeigt.',
      email_not_verified: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse.',
      enrollment_expired: 'Die Einrichtung hat zu lange gedauert. Beginnen Sie noch einmal.',
      factor_suspended: 'Ihre Authenticator-App ist nach zu vielen falschen Codes gesperrt.',
      last_way_to_sign_in:
        'Nur über diesen Anbieter können Sie sich bei Ihrem Konto anmelden. Wählen Sie per E-Mail ein Passwort: Auch das trennt den Anbieter.',
      no_second_factor: 'Fügen Sie zuerst einen Passkey oder eine Authenticator-App hinzu.',
      passkey_already_registered: 'Dieser Passkey gehört schon zu einem Konto.',
      passkey_name_invalid: 'Geben Sie einen Namen mit 1 bis 64 Zeichen ein.',
      passkey_refused: 'Der Passkey konnte nicht hinzugefügt werden. Beginnen Sie noch einmal.',
      passkey_too_new: 'Dieser Passkey wurde vor weniger als 24 Stunden hinzugefügt.',
      reset_not_due: 'Die Wartezeit ist noch nicht um.',
      reset_not_found: 'Diese Anfrage gibt es nicht mehr.',
      reset_not_stopped:
        'Ein zweiter Faktor aus den letzten 14 Tagen, oder aus der Zeit vor Ihrem letzten neuen Passwort, kann das nicht aufhalten. Wählen Sie per E-Mail ein neues Passwort: Das tut es.',
      too_many_passkeys: 'Sie haben schon 10 Passkeys. Entfernen Sie zuerst einen.',
      totp_exists: 'Eine Authenticator-App ist schon eingerichtet. Entfernen Sie sie zuerst.',
    },
    passkeys: {
      title: 'Ihre Passkeys',
      lead: 'Melden Sie sich mit Fingerabdruck, Gesicht, der PIN Ihres Geräts oder einem Sicherheitsschlüssel an. Einen Passkey kann niemand abfischen.',
      none: 'Noch keine Passkeys.',
      add: 'Passkey hinzufügen',
      manage: (name) => html`Verwalten<span class=spoken>: ${name}</span>`,
      added: (day) => `Hinzugefügt am ${day}`,
      lastUsed: (day) => `zuletzt verwendet am ${day}`,
      neverUsed: 'noch nicht verwendet',
      synced: 'Synchronisiert',
      thisDevice: 'Auf einem Gerät',
    },
    newPasskey: {
      title: 'Passkey hinzufügen',
      lead: 'Geben Sie ihm einen Namen, an dem Sie ihn wiedererkennen. Danach fragt Ihr Browser, wo er aufbewahrt werden soll.',
      name: 'Name des Passkeys',
      defaultName: (number) => `Mein Passkey ${number}`,
      button: 'Passkey erstellen',
      noscript:
        'Passkeys brauchen JavaScript. Schalten Sie es für diese Seite ein, oder verwenden Sie eine Authenticator-App.',
      unsupported:
        'Dieser Browser unterstützt keine Passkeys. Verwenden Sie einen neueren oder eine Authenticator-App.',
      failed: 'Es wurde kein Passkey erstellt. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Ort dafür.',
      existing: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
      address:
        'Für diese Adresse bewahren Browser keine Passkeys auf. Öffnen Sie sie auf Ihrem eigenen Rechner als localhost.',
    },
    passkey: {
      title: 'Passkey verwalten',
      rename: 'Namen speichern',
      removeTitle: 'Diesen Passkey entfernen',
      removeLead:
        'Er kann nicht mehr zur Anmeldung verwendet werden. Löschen Sie ihn auch im Browser oder Passwortmanager, der ihn sonst weiter anbietet.',
      last: 'Ohne Passkey und Authenticator-App genügt Ihr Passwort zur Anmeldung.',
      remove: 'Passkey entfernen',
    },
    totp: {
      title: 'Authenticator-App',
      lead: 'Eine App auf Ihrem Telefon zeigt einen Code, den Sie nach Ihrem Passwort eingeben.',
      since: (day) => `Eingerichtet am ${day}`,
      none: 'Nicht eingerichtet.',
      add: 'Authenticator-App einrichten',
      manage: html`Verwalten<span class=spoken>: Authenticator-App</span>`,
      removeTitle: 'Authenticator-App entfernen',
      removeLead:
        'Ihre Codes gelten dann nicht mehr. Ohne Passkey genügt Ihr Passwort zur Anmeldung. Wenn Sie das Telefon wechseln, entfernen Sie sie und richten Sie sie neu ein.',
      remove: 'Authenticator-App entfernen',
    },
    newTotp: {
      title: 'Authenticator-App einrichten',
      scan: 'Scannen Sie diesen Code mit Ihrer Authenticator-App:',
      qrCode: 'QR-Code mit dem Schlüssel darunter',
      key: 'Oder geben Sie diesen Schlüssel von Hand ein:',
      code: 'Code, den die App anzeigt',
      button: 'Bestätigen',
    },
    codes: {
      title: 'Wiederherstellungscodes',
      lead: 'Mit ihnen kommen Sie hinein, wenn Sie Ihre Passkeys und Ihr Telefon verloren haben. Jeder gilt einmal, nach Ihrem Passwort.',
      needFactor: 'Sie können sie erstellen, sobald Sie einen Passkey oder eine Authenticator-App haben.',
      left: (left) => `${left} von 10 übrig`,
      none: 'Sie haben keine.',
      offer: 'Erstellen Sie jetzt Wiederherstellungscodes, damit ein verlorenes Gerät Sie nicht aussperrt.',
      create: 'Wiederherstellungscodes erstellen',
      replace: 'Neue erstellen',
      replaceWarning: 'Die Codes, die Sie jetzt haben, gelten dann nicht mehr.',
    },
    providers: {
      title: 'Verbundene Anbieter',
      lead: 'Ihr Konto bei einem Anbieter meldet Sie hier an, ohne Ihr Passwort.',
      since: (day) => `Verbunden am ${day}`,
      off: 'Getrennt durch Ihr neues Passwort oder Ihre neue Adresse',
      manage: (name) => html`Trennen<span class=spoken>: ${name}</span>`,
      disconnectTitle: (name) => `${name} trennen?`,
      disconnectLead: (name) =>
        `${name} meldet Sie dann nicht mehr an. Ihr Konto dort bleibt bestehen. Bei einer Anmeldung können Sie es wieder verbinden.`,
      disconnect: 'Anbieter trennen',
      onlyWay: (name) =>
        `Ihr Konto hat kein Passwort. Nur über ${name} können Sie sich anmelden. Wählen Sie per E-Mail ein Passwort: Auch das trennt ${name}.`,
      choosePassword: 'Passwort wählen',
    },
    newCodes: {
      title: 'Ihre Wiederherstellungscodes',
      lead: 'Sie werden nur jetzt angezeigt. Drucken Sie sie aus oder bewahren Sie sie im Passwortmanager auf, nicht auf dem Gerät, mit dem Sie sich anmelden.',
      copy: 'Ihre Wiederherstellungscodes zum Kopieren',
      download: 'Als Textdatei herunterladen',
      file: 'wiederherstellungscodes.txt',
      stored: 'Ich habe sie aufbewahrt',
    },
    ownReset: {
      text: 'Mit Ihrem Passwort wurde beantragt, Ihre Passkeys, Ihre Authenticator-App und Ihre Wiederherstellungscodes zu entfernen. Falls Sie das nicht waren, halten Sie es auf, und ändern Sie Ihr Passwort.',
      awaits: 'Es geschieht erst, wenn Sie es per E-Mail bestätigen.',
      from: (day) => `Sie werden am ${day} entfernt.`,
      stop: 'Entfernung aufhalten',
    },
    reset: {
      title: 'Ein Mitglied hat seine zweiten Faktoren verloren',
      asks: (username, email, organization) =>
        html`<strong>${username}</strong> (${email}), Mitglied von <strong>${organization}</strong>, bittet darum, die Passkeys, die Authenticator-App und die Wiederherstellungscodes des Kontos zu entfernen.`,
      requested: (day) => `Angefragt am ${day}.`,
      warning:
        'Fragen Sie persönlich oder am Telefon nach, ob das stimmt: Auch wer das Passwort kennt und das Postfach liest, kann diese Anfrage stellen. Einen Tag nach Ihrer Zustimmung genügt das Passwort zur Anmeldung, ohne sie 7 Tage nach der Bestätigung per E-Mail.',
      approve: 'Zustimmen',
      approved: 'Dieser Anfrage wurde zugestimmt.',
      gone: {
        title: 'Diese Anfrage gibt es nicht mehr',
        text: 'Sie wurde zurückgezogen, ist erledigt, oder Sie können ihr nicht zustimmen.',
      },
    },
  },

  consent: {
    title: (client) => `Zugriff für ${client}?`,
    heading: (client) => `Darf ${client} Ihr Konto verwenden?`,
    redirect: (destination) => html`Sie werden an ${destination} weitergeleitet.`,
    thisDevice: (host) => html`eine App auf diesem Gerät (<strong>${host}</strong>)`,
    signedInAs: (email) => html`Angemeldet als <strong>${email}</strong>`,
    switchAccount: 'Anderes Konto verwenden',
    itCan: 'Die Anwendung handelt in Ihrem Namen und kann:',
    permissions: [
      'Ihr Profil sehen und ändern',
      'Ihre Organisationen sehen und, je nach Ihrer Rolle, deren Mitglieder, Käufe und Abonnements verwalten',
    ],
    scopes: {
      openid: 'erkennen, dass Sie sich anmelden',
      profile: 'Ihren Benutzernamen und Ihre Organisationen sehen',
      email: 'Ihre E-Mail-Adresse sehen',
      offline_access: 'diesen Zugriff bis zu 30 Tage lang behalten, auch wenn Sie sie nicht benutzen',
      'entitlements:read': 'sehen, was Ihre Organisationen gekauft haben',
      'billing:read':
        'Abonnements, Rechnungen und Zahlungsmittel Ihrer Organisationen sehen, soweit Ihre Rolle es zulässt',
      'billing:write': 'für Ihre Organisationen kaufen, ändern und kündigen, soweit Ihre Rolle es zulässt',
      'members:read': 'die Mitglieder Ihrer Organisationen sehen',
      'audit_log:read': 'sehen, wer was in Ihren Organisationen geändert hat, soweit Ihre Rolle es zulässt',
      'events:read': 'die Ereignisse Ihrer Organisationen sehen, soweit Ihre Rolle es zulässt',
    },
    nothing: 'Die Anwendung verlangt nichts: Sie erfährt nicht, wer Sie sind, und handelt nicht in Ihrem Namen.',
    allow: 'Zulassen',
    deny: 'Abbrechen',
    warning:
      'Ihr Passwort erfährt die Anwendung nie. Stimmen Sie nur zu, wenn Sie ihr vertrauen und den Vorgang selbst begonnen haben.',
  },

  device: {
    title: 'Gerät verbinden',
    lead: 'Geben Sie den Code ein, den Ihr Gerät oder Ihre Kommandozeile anzeigt.',
    label: 'Code des Geräts',
    rule: '8 Buchstaben, zum Beispiel WDJB-MJHT. Groß- und Kleinschreibung und der Bindestrich sind egal.',
    button: 'Weiter',
    warning:
      'Geben Sie nur einen Code ein, den Sie selbst angefordert haben. Wenn Sie ihn von einer anderen Person haben, schließen Sie diese Seite.',
    unknown_code:
      'Dieser Code ist nicht oder nicht mehr gültig. Prüfen Sie ihn, oder lassen Sie Ihr Gerät einen neuen anzeigen.',
    asked: (code, ago) => html`Das Gerät zeigt den Code ${code}. Es hat ${ago} angefragt.`,
    ownNetwork: (address) =>
      html`Die Anfrage kam aus dem Netz, das Sie gerade verwenden (<strong>${address}</strong>).`,
    otherNetwork: (address) =>
      html`Die Anfrage kam aus einem anderen Netz als Ihrem (<strong>${address}</strong>). Wenn das nicht Ihr Gerät ist, brechen Sie ab.`,
    allowed: {
      title: 'Ihr Gerät ist verbunden',
      text: (client) =>
        `${client} darf jetzt Ihr Konto verwenden. Sie können diese Seite schließen und an Ihrem Gerät weitermachen.`,
    },
    denied: {
      title: 'Das Gerät wurde abgewiesen',
      text: (client) => `${client} erhält keinen Zugriff. Sie können diese Seite schließen.`,
    },
  },

  provider: {
    unnamed: 'der Anbieter',
    connect: (provider) => `${provider} verbinden?`,
    connectLead: (provider, email) =>
      html`Ihr Konto bei <strong>${provider}</strong>${email !== undefined && html` (${email})`} meldet Sie von jetzt an bei diesem Konto an.`,
    connectButton: 'Verbinden',
    notNow: 'Jetzt nicht',
    signInFirst: (provider) =>
      `Um ${provider} zu verbinden, melden Sie sich noch einmal auf einem anderen Weg an. Danach meldet ${provider} Sie an.`,
    problems: {
      unknown_provider: {
        title: 'Diesen Weg zur Anmeldung gibt es nicht',
        text: () => 'Vielleicht wurde er abgeschaltet. Melden Sie sich auf einem anderen Weg an.',
      },
      unreachable: {
        title: 'Der Anbieter antwortet nicht',
        text: (provider) =>
          `${provider} ist im Moment nicht zu erreichen. Versuchen Sie es später noch einmal, oder melden Sie sich auf einem anderen Weg an.`,
      },
      expired: {
        title: 'Diese Anmeldung ist vorbei',
        text: () =>
          'Sie hat länger als 15 Minuten gedauert, ist schon abgeschlossen oder wurde in einem anderen Browser begonnen. Fangen Sie neu an.',
      },
      denied: {
        title: 'Sie wurden nicht angemeldet',
        text: (provider) =>
          `${provider} hat Sie nicht angemeldet. Wenn Sie versehentlich abgebrochen haben, fangen Sie neu an.`,
      },
      answer_refused: {
        title: 'Wir können der Antwort nicht vertrauen',
        text: (provider) =>
          `Die Antwort von ${provider} hat unsere Prüfungen nicht bestanden, deshalb wurde niemand angemeldet. Fangen Sie neu an, oder melden Sie sich auf einem anderen Weg an.`,
      },
      account_off: {
        title: 'Dieses Konto ist abgeschaltet',
        text: () => 'Wenn Sie es löschen lassen wollten, steht in der Mail dazu ein Link, der es wiederherstellt.',
      },
      already_connected: {
        title: 'Schon verbunden',
        text: (provider) =>
          `Dieses Konto bei ${provider} ist hier mit einem Konto verbunden. Melden Sie sich damit an.`,
      },
      foreign_address: {
        title: 'Diese Adresse gehört nicht zum Unternehmen',
        text: (provider: string) =>
          `${provider} kann nur Personen mit einer bestätigten E-Mail-Adresse der eigenen Domain anmelden, und nur an einem Konto mit einer solchen Adresse. Melden Sie sich auf anderem Weg an.`,
      },
    },
  },
  addFactor: {
    title: 'Zweiten Faktor hinzufügen',
    lead: (organizations) =>
      `${formatList(organizations, 'de')} ${organizations.length === 1 ? 'verlangt' : 'verlangen'} von allen Mitgliedern einen zweiten Faktor.`,
    untilThen:
      'Das kann ein Passkey oder eine Authenticator-App sein. Bis Sie einen hinzufügen, können Sie alles andere verwenden.',
    link: 'Jetzt hinzufügen',
    notNow: 'Jetzt nicht',
  },
  chooseAccount: {
    select_account: {
      title: 'Konto auswählen',
      lead: (client) => `Weiter zu ${client} mit diesem Konto, oder mit einem anderen.`,
    },
    other_user: {
      title: 'Ein anderes Konto wird erwartet',
      lead: (client) => `${client} fragt nach einem anderen Konto als dem, mit dem Sie angemeldet sind.`,
    },
    continue: 'Weiter',
    back: (client) => `Zurück zu ${client}`,
  },

  signOut: {
    title: 'Abmelden?',
    asks: (client) => html`<strong>${client}</strong> möchte Sie abmelden.`,
    ends: (name) =>
      `Das beendet Ihre Sitzung in diesem Browser und meldet Sie von den Anwendungen von ${name} ab, die Sie hier geöffnet haben. Anwendungen anderer behalten den Zugriff, den Sie ihnen erlaubt haben.`,
    button: 'Abmelden',
    hint: 'Wenn Sie das nicht veranlasst haben, schließen Sie diese Seite, um angemeldet zu bleiben.',
    done: { title: 'Sie sind abgemeldet', text: 'Sie können diese Seite schließen.' },
  },

  untrusted: {
    unknown_client: {
      title: 'Unbekannte Anwendung',
      text: 'Die Anwendung, von der Sie kommen, ist uns nicht bekannt. Es wurde nichts geändert.',
    },
    untrusted_redirect_uri: {
      title: 'Dieser Link kann nicht verwendet werden',
      text: 'Die Anwendung, von der Sie kommen, verlangt eine Weiterleitung an eine Adresse, die nicht für sie registriert ist. Es wurde nichts geändert.',
    },
    untrusted_hint: {
      title: 'Dieser Link kann nicht verwendet werden',
      text: 'Die Anwendung, von der Sie kommen, hat eine Anmeldung angegeben, die nicht bei ihr stattfand. Es wurde nichts geändert.',
    },
    repeated_parameter: {
      title: 'Dieser Link kann nicht verwendet werden',
      text: 'Die Anwendung, von der Sie kommen, hat einen Parameter doppelt angegeben. Es wurde nichts geändert.',
    },
  },

  forms: {
    register: {
      title: 'Konto erstellen',
      lead: 'Wir senden Ihnen einen Link, mit dem Sie Ihre E-Mail-Adresse bestätigen.',
      button: 'Konto erstellen',
    },
    forgot_password: {
      title: 'Passwort vergessen?',
      lead: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
      button: 'Link senden',
    },
    resend_verification: {
      title: 'E\u2011Mail\u2011Adresse bestätigen',
      lead: 'Öffnen Sie den Link in unserer Bestätigungs-E-Mail. Wenn Sie sie nicht finden, senden wir Ihnen eine neue.',
      button: 'Link erneut senden',
    },
  },
  mailSent: {
    title: 'Sehen Sie in Ihr Postfach',
    text: (email) => html`Wir haben den nächsten Schritt an <strong>${email}</strong> gesendet.`,
    hint: 'Nichts angekommen? Sehen Sie im Spam-Ordner nach, oder',
    again: 'lassen Sie die E-Mail erneut senden',
  },

  links: {
    verify_email: {
      title: 'E\u2011Mail\u2011Adresse bestätigen',
      button: 'E-Mail-Adresse bestätigen',
      done: { title: 'E\u2011Mail\u2011Adresse bestätigt', text: 'Sie können sich jetzt anmelden.' },
    },
    change_email: {
      title: 'Neue E\u2011Mail\u2011Adresse bestätigen',
      lead: 'Bestätigen Sie, dass Ihr Konto diese E-Mail-Adresse verwenden soll.',
      button: 'Neue E-Mail-Adresse bestätigen',
      done: {
        title: 'E\u2011Mail\u2011Adresse geändert',
        text: 'Melden Sie sich ab jetzt mit Ihrer neuen E-Mail-Adresse an.',
      },
    },
    undo_email_change: {
      title: 'Änderung Ihrer E\u2011Mail\u2011Adresse rückgängig machen',
      lead: 'Ihr Konto erhält diese E-Mail-Adresse zurück, und alle Geräte werden abgemeldet.',
      button: 'Änderung rückgängig machen',
      done: {
        title: 'Ihre E\u2011Mail\u2011Adresse gilt wieder',
        text: 'Alle Geräte wurden abgemeldet. Falls jemand anderes die Adresse geändert hat, kennt diese Person Ihr Passwort: Wählen Sie jetzt ein neues.',
      },
    },
    undo_factor: {
      title: 'Hinzugefügtes entfernen?',
      lead: 'Es wird aus Ihrem Konto entfernt, und alle Geräte werden abgemeldet. Wählen Sie ein neues Passwort: Jemand kennt vielleicht Ihres.',
      button: 'Entfernen und Passwort festlegen',
      done: {
        title: 'Entfernt und Passwort geändert',
        text: 'Alle Geräte wurden abgemeldet. Melden Sie sich mit Ihrem neuen Passwort an.',
      },
    },
    reset_password: {
      title: 'Neues Passwort wählen',
      lead: 'Sie werden auf allen Geräten abgemeldet.',
      button: 'Passwort festlegen',
      done: { title: 'Passwort geändert', text: 'Melden Sie sich mit Ihrem neuen Passwort an.' },
    },
    confirm_factor_reset: {
      title: 'Ihre zweiten Faktoren entfernen?',
      lead: 'Falls Sie Ihre Passkeys, Ihre Authenticator-App und Ihre Wiederherstellungscodes verloren haben, klicken Sie auf die Schaltfläche: Sie werden in 7 Tagen entfernt, und Ihr Passwort allein genügt. Falls Sie das nicht beantragt haben, schließen Sie diese Seite und wählen Sie ein neues Passwort: Jemand kennt Ihres.',
      button: 'In 7 Tagen entfernen',
    },
    restore_account: {
      title: 'Konto behalten?',
      lead: 'Ihr Konto ist zur Löschung vorgemerkt. Mit der Schaltfläche behalten Sie es, und auch die Organisationen, die mit ihm gelöscht würden.',
      button: 'Konto behalten',
      done: { title: 'Ihr Konto bleibt bestehen', text: 'Es wurde nichts gelöscht. Sie können sich wieder anmelden.' },
      newPassword: 'Die Löschung war nicht von Ihnen? Wählen Sie ein neues Passwort',
    },
  },
  afterReset: {
    signed_in: 'Sie sind mit Ihrem neuen Passwort angemeldet.',
    pending: 'Zeigen Sie noch Ihren zweiten Faktor, um die Anmeldung abzuschließen.',
    next: 'Weiter',
  },
  ownAuthenticators: {
    names: { totp: 'Authenticator-App', recovery_codes: 'Wiederherstellungscodes' },
    passkey: (name) => `Passkey „${name}“`,
    added: (time) => `Hinzugefügt am ${time} UTC`,
    from: (place) => `von ${place}`,
    legend: 'Zweite Faktoren der letzten 14 Tage',
    lead: 'Sie werden mit dem Zurücksetzen entfernt, denn jemand mit Ihrem alten Passwort kann sie hinzugefügt haben. Nehmen Sie das Häkchen bei denen weg, die von Ihnen sind.',
    older: 'Diese sind älter und bleiben:',
  },
  emailChange: {
    current: 'Geben Sie das Passwort Ihres Kontos ein, damit es diese E-Mail-Adresse verwendet.',
    unexpected: 'Wenn Sie das nicht veranlasst haben, schließen Sie diese Seite: Es wird nichts geändert.',
  },
  verification: {
    signedIn: 'Sie sind angemeldet.',
    account: (email, username) =>
      html`Das bestätigt <strong>${email}</strong> für das Konto mit dem Benutzernamen <strong>${username}</strong>.`,
    current: 'Geben Sie das Passwort ein, das Sie für dieses Konto gewählt haben, um zu zeigen, dass es Ihres ist.',
    choose: 'Stattdessen ein neues Passwort wählen',
    new: 'Wählen Sie ein Passwort für dieses Konto. Es ersetzt das Passwort, mit dem das Konto erstellt wurde.',
    newButton: 'Passwort festlegen und bestätigen',
    unexpected: 'Wenn Sie dieses Konto nicht erstellt haben, schließen Sie diese Seite: Es wird nichts bestätigt.',
  },
  deadLink: {
    title: 'Dieser Link funktioniert nicht mehr',
    used: 'Dieser Link wurde bereits verwendet. Wenn Sie das selbst waren, ist alles erledigt: Melden Sie sich einfach an.',
    expired: 'Der Link ist abgelaufen, oder Ihr Konto hat sich seitdem geändert.',
    unknown: 'Er wurde bereits verwendet, ist abgelaufen oder wurde nicht vollständig kopiert.',
    again: 'Geben Sie Ihre E-Mail-Adresse ein, um einen neuen Link zu erhalten.',
  },

  invitation: {
    title: (organization) => `${organization} beitreten`,
    lead: (inviter, organization, role) =>
      html`<strong>${inviter}</strong> lädt Sie in die Organisation <strong>${organization}</strong> ein. Ihre Rolle: ${roles[role]}.`,
    sign_in: 'Sie haben ein Konto mit dieser E-Mail-Adresse. Melden Sie sich an, um beizutreten.',
    register: 'Erstellen Sie Ihr Konto, um beizutreten. Ihre E-Mail-Adresse ist durch die Einladung schon bestätigt.',
    claim:
      'Mit dieser E-Mail-Adresse wurde ein Konto erstellt, aber nie bestätigt. Wählen Sie einen Benutzernamen und ein Passwort, um beizutreten.',
    accept: 'Beitreten',
    otherUser: (email) =>
      html`Die Einladung ist für <strong>${email}</strong>. Verwenden Sie das Konto mit dieser Adresse, um beizutreten.`,
    buttons: {
      sign_in: 'Anmelden und beitreten',
      register: 'Konto erstellen und beitreten',
      claim: 'Konto übernehmen und beitreten',
    },
    done: {
      title: (organization) => `Willkommen bei ${organization}`,
      text: (role) => `Sie gehören jetzt zur Organisation. Ihre Rolle: ${roles[role]}.`,
    },
    unknown: {
      title: 'Diese Einladung ist ungültig',
      text: 'Prüfen Sie, ob Sie den ganzen Link kopiert haben. Wenn ja, bitten Sie die Person, die Sie eingeladen hat, um eine neue Einladung.',
    },
    expired: {
      title: 'Diese Einladung ist abgelaufen',
      text: 'Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
    },
    void: {
      title: 'Diese Einladung gilt nicht mehr',
      text: 'Sie wurde zurückgezogen oder durch eine neuere ersetzt. Suchen Sie nach einer neueren E-Mail, oder fragen Sie die Person, die Sie eingeladen hat.',
    },
    used: {
      title: 'Diese Einladung wurde bereits angenommen',
      text: 'Wenn Sie das waren, gehören Sie schon dazu: Melden Sie sich an, um die Organisation zu sehen.',
    },
    already_member: { title: 'Sie sind bereits Mitglied', text: 'Es bleibt nichts mehr zu tun.' },
  },

  errors: {
    incompleteLink: {
      title: 'Dieser Link ist unvollständig',
      text: 'Öffnen Sie ihn noch einmal aus der E-Mail, oder kopieren Sie den ganzen Link.',
    },
    emailTaken: {
      title: 'Diese E\u2011Mail\u2011Adresse ist vergeben',
      text: 'Ein anderes Konto verwendet diese E-Mail-Adresse. Es wurde nichts geändert.',
    },
    tooManyAttempts: { title: 'Zu viele Versuche', text: 'Warten Sie einige Minuten, bevor Sie es erneut versuchen.' },
    formIncomplete: { title: 'Das Formular ist unvollständig', text: 'Bitte beginnen Sie von vorn.' },
    foreignForm: {
      title: 'Bitte beginnen Sie von vorn',
      text: 'Dieses Formular gehört zu einer anderen Sitzung, oder Ihr Browser hat unser Cookie blockiert. Es wurde nichts geändert.',
    },
    formTooLarge: {
      title: 'Das Formular ist zu groß',
      text: 'Kürzen Sie Ihre Eingaben, und versuchen Sie es erneut.',
    },
    tooManyRequests: { title: 'Zu viele Anfragen', text: 'Aus Ihrem Netz kamen zu viele Anfragen.' },
    unavailable: {
      title: 'Dienst nicht verfügbar',
      text: 'Der Dienst ist vorübergehend nicht verfügbar. Sie können es gefahrlos erneut versuchen.',
    },
    unknown: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Fehler liegt bei uns. Bitte versuchen Sie es später erneut.',
    },
  },

  mails: {
    openLink: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:',
    support: (where) => `Fragen? ${where}`,
    verifyEmail: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      text: 'Sie haben ein Konto mit dieser E-Mail-Adresse erstellt. Bestätigen Sie, dass die Adresse Ihnen gehört, um Ihr Konto zu verwenden.',
      action: 'E-Mail-Adresse bestätigen',
      once,
      unexpected: 'Falls Sie kein Konto erstellt haben, können Sie diese E-Mail ignorieren.',
    },
    resetPassword: {
      subject: 'Setzen Sie Ihr Passwort zurück',
      text: 'Für Ihr Konto wurde ein neues Passwort angefordert.',
      action: 'Neues Passwort wählen',
      once,
      unexpected: 'Falls Sie das nicht waren, können Sie diese E-Mail ignorieren. Ihr Passwort ändert sich nicht.',
    },
    secondStepFailed: {
      subject: 'Jemand kennt Ihr Passwort und ist am zweiten Schritt gescheitert',
      text: 'In einem Browser, der sich noch nie bei Ihrem Konto angemeldet hat, hat jemand Ihr Passwort und danach einen falschen Code eingegeben. Die Anmeldung ist nicht gelungen. Falls Sie das nicht waren, wählen Sie jetzt ein neues Passwort: Das beendet alle Sitzungen und jede begonnene Anmeldung.',
      action: 'Neues Passwort wählen',
      once,
      unexpected:
        'Falls Sie selbst sich vertippt haben, brauchen Sie nichts zu tun. Wir senden diese E-Mail höchstens einmal am Tag, auch wenn es öfter geschieht.',
    },
    newSignIn: {
      subject: 'Neue Anmeldung bei Ihrem Konto',
      text: ({ browser, at, place, sourceIp }) =>
        `Jemand hat sich in einem Browser, der sich noch nie bei Ihrem Konto angemeldet hat, angemeldet: ${[browser?.replace(' on ', ' unter ') ?? 'unbekannter Browser', `am ${at}`, place, sourceIp && `IP-Adresse ${sourceIp}`].filter(Boolean).join(', ')}. Falls Sie das nicht waren, wählen Sie jetzt ein neues Passwort: Das beendet alle Sitzungen.`,
      action: 'Neues Passwort wählen',
      once,
      unexpected:
        'Falls Sie das waren, brauchen Sie nichts zu tun. In der Konsole können Sie diese E-Mails unter „Ihre Aktivität“ abschalten.',
    },
    emailChangeConfirm: {
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
      text: 'Diese E-Mail-Adresse soll künftig zu einem Konto gehören. Bestätigen Sie, dass die Adresse Ihnen gehört, um die Änderung abzuschließen.',
      action: 'Neue E-Mail-Adresse bestätigen',
      once,
      unexpected: 'Falls Sie das nicht waren, können Sie diese E-Mail ignorieren. Es ändert sich nichts.',
    },
    emailChangeNotice: {
      subject: 'Ihre E-Mail-Adresse soll geändert werden',
      text: 'Die E-Mail-Adresse Ihres Kontos soll geändert werden. Die Anfrage wurde mit Ihrem aktuellen Passwort gestellt. Sobald die neue Adresse bestätigt ist, können Sie sich mit dieser nicht mehr anmelden.',
      action: 'Neues Passwort wählen',
      unexpected:
        'Falls Sie das nicht waren, wählen Sie jetzt ein neues Passwort: Damit wird auch die Anfrage zurückgenommen. Dafür brauchen Sie nur dieses Postfach.',
    },
    emailChanged: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: 'Ihr Konto hat jetzt eine andere E-Mail-Adresse, und Sie können sich mit dieser nicht mehr anmelden. Falls Sie das nicht waren, machen Sie die Änderung rückgängig: Diese Adresse gilt dann wieder, und alle Geräte werden abgemeldet.',
      action: 'Änderung rückgängig machen',
      once,
      unexpected: 'Falls Sie die Änderung selbst vorgenommen haben, können Sie diese E-Mail ignorieren.',
    },
    newEmailInUse: {
      subject: 'Dies ist jetzt Ihre E-Mail-Adresse',
      text: 'Ihr Konto verwendet jetzt diese E-Mail-Adresse. Melden Sie sich ab jetzt mit ihr an.',
      unexpected: 'Von Ihrer alten Adresse aus lässt sich die Änderung 7 Tage lang rückgängig machen.',
    },
    emailChangeUndone: {
      subject: 'Die Änderung Ihrer E-Mail-Adresse wurde rückgängig gemacht',
      text: 'Die Änderung auf diese E-Mail-Adresse wurde von der alten Adresse aus rückgängig gemacht. Sie können sich mit dieser nicht mehr anmelden, und alle Geräte wurden abgemeldet.',
      unexpected:
        'Falls Sie das nicht waren, melden Sie sich mit Ihrer alten E-Mail-Adresse an, oder wählen Sie auf der Anmeldeseite „Passwort vergessen?“.',
    },
    passwordChanged: {
      subject: 'Ihr Passwort wurde geändert',
      text: 'Das Passwort Ihres Kontos wurde geändert. Überall sonst wurden Sie abgemeldet.',
      action: 'Neues Passwort wählen',
      unexpected:
        'Falls Sie das nicht waren, wählen Sie jetzt ein neues Passwort. Dafür brauchen Sie nur dieses Postfach: keine Anmeldung und keinen zweiten Faktor.',
    },
    factorResetRequested: {
      subject: 'Bestätigen Sie, dass Ihre zweiten Faktoren entfernt werden',
      text: 'Jemand, der Ihr Passwort eingegeben hat, bittet darum, die Passkeys, die Authenticator-App und die Wiederherstellungscodes Ihres Kontos zu entfernen. Falls Sie sie verloren haben, bestätigen Sie das: 7 Tage danach werden sie entfernt. Ohne Ihre Bestätigung wird nichts entfernt.',
      action: 'Entfernen bestätigen',
      once,
      unexpected:
        'Falls Sie das nicht waren, kennt jemand Ihr Passwort: Wählen Sie auf der Anmeldeseite „Passwort vergessen?“. Das beendet auch die Anfrage.',
    },
    factorResetApproved: {
      subject: 'Entfernung Ihrer zweiten Faktoren bestätigt',
      text: (time) =>
        `Ein Inhaber Ihrer Organisation hat zugestimmt, dass die Passkeys, die Authenticator-App und die Wiederherstellungscodes Ihres Kontos entfernt werden. Das geschieht am ${time}; alle Geräte werden dann abgemeldet. Melden Sie sich danach mit Ihrem Passwort an.`,
      action: 'Mit neuem Passwort aufhalten',
      unexpected:
        'Falls Sie das nicht beantragt haben, wählen Sie jetzt ein neues Passwort: Das hält die Entfernung auf.',
    },
    factorResetReminder: {
      subject: 'Ihre zweiten Faktoren werden entfernt',
      text: (time) =>
        `Die Passkeys, die Authenticator-App und die Wiederherstellungscodes Ihres Kontos werden am ${time} entfernt, wie Sie es per E-Mail bestätigt haben. Alle Geräte werden dann abgemeldet, und Ihr Passwort allein genügt.`,
      action: 'Mit neuem Passwort aufhalten',
      unexpected:
        'Falls Sie das nicht beantragt haben, wählen Sie jetzt ein neues Passwort: Das hält die Entfernung auf.',
    },
    factorRemovalByOperator: {
      subject: 'Unser Support wird Ihre zweiten Faktoren entfernen',
      text: (time) =>
        `Unser Support wurde gebeten, die Passkeys, die Authenticator-App und die Wiederherstellungscodes Ihres Kontos zu entfernen. Das geschieht am ${time}. Alle Geräte werden dann abgemeldet, und Ihr Passwort allein genügt.`,
      action: 'Entfernung aufhalten',
      unexpected:
        'Falls Sie nicht darum gebeten haben, halten Sie die Entfernung auf: Melden Sie sich mit einem Passkey, einer App oder einem Wiederherstellungscode an, den Sie seit mehr als 14 Tagen haben. Ein neues Passwort allein hält sie nicht auf.',
    },
    factorResetCanceled: {
      subject: 'Ihre zweiten Faktoren bleiben',
      text: 'Die Anfrage, die Passkeys, die Authenticator-App und die Wiederherstellungscodes Ihres Kontos zu entfernen, wurde nach einer Anmeldung mit einem zweiten Faktor zurückgezogen.',
      action: 'Neues Passwort wählen',
      unexpected:
        'Falls die Anfrage nicht von Ihnen war, kennt jemand Ihr Passwort: Wählen Sie ein neues. Falls sie von Ihnen war und Sie sie nicht zurückgezogen haben, wenden Sie sich an einen Inhaber Ihrer Organisation.',
    },
    factorResetDone: {
      subject: 'Ihre zweiten Faktoren wurden entfernt',
      text: 'Die Passkeys, die Authenticator-App und die Wiederherstellungscodes Ihres Kontos wurden entfernt. Ihr Passwort allein genügt jetzt zum Anmelden; alle Geräte wurden abgemeldet. Richten Sie bald wieder einen zweiten Faktor ein, und wählen Sie vorher ein neues Passwort, falls jemand Ihres kennen könnte.',
      action: 'Neues Passwort wählen',
      unexpected:
        'Falls Sie das nicht waren, wählen Sie jetzt ein neues Passwort: Dafür brauchen Sie nur dieses Postfach. Richten Sie dann einen zweiten Faktor ein.',
    },
    totpLost: {
      subject: 'Richten Sie Ihre Authenticator-App neu ein',
      text: 'Der Dienst kann die Codes Ihrer Authenticator-App nicht mehr prüfen; das liegt nicht an Ihnen. Wir haben die App aus Ihrem Konto entfernt. Ihre Passkeys und Wiederherstellungscodes bleiben. Ohne Passkey genügt Ihr Passwort allein, bis Sie die App neu einrichten.',
      action: 'App einrichten',
      unexpected: 'Der Eintrag in Ihrer App gilt nicht mehr: Löschen Sie ihn, und scannen Sie den neuen Code.',
    },
    factorResetApprovalAsked: {
      subject: 'Ein Mitglied hat seine zweiten Faktoren verloren',
      text: (username, email) =>
        `${username} (${email}) bittet darum, die Passkeys, die Authenticator-App und die Wiederherstellungscodes des Kontos zu entfernen. Fragen Sie persönlich oder am Telefon nach, ob das stimmt: Auch wer das Passwort kennt und das Postfach liest, kann diese Anfrage stellen. Einen Tag nach Ihrer Zustimmung genügt das Passwort zur Anmeldung, ohne sie 7 Tage nach der Bestätigung per E-Mail.`,
      action: 'Anfrage ansehen',
      unexpected: 'Wenn Sie nichts tun, dauert es 7 Tage.',
    },
    passkeyAdded: {
      subject: 'Ihrem Konto wurde ein Passkey hinzugefügt',
      text: `Ihrem Konto wurde ein Passkey hinzugefügt. Er kann zur Anmeldung verwendet werden. ${undoAddition}`,
      action: 'Entfernen und neues Passwort wählen',
      once,
      unexpected: 'Falls Sie ihn selbst hinzugefügt haben, können Sie diese E-Mail ignorieren.',
    },
    passkeyRemoved: {
      subject: 'Ein Passkey Ihres Kontos wurde entfernt',
      text: 'Ein Passkey Ihres Kontos wurde entfernt. Er kann nicht mehr zur Anmeldung verwendet werden.',
      action: 'Neues Passwort wählen',
      unexpected: resetAndRemove,
    },
    totpAdded: {
      subject: 'Ihrem Konto wurde eine Authenticator-App hinzugefügt',
      text: `Für Ihr Konto wurde eine Authenticator-App eingerichtet. Bei der Anmeldung wird nach ihren Codes gefragt. ${undoAddition}`,
      action: 'Entfernen und neues Passwort wählen',
      once,
      unexpected: 'Falls Sie sie selbst eingerichtet haben, können Sie diese E-Mail ignorieren.',
    },
    totpRemoved: {
      subject: 'Die Authenticator-App Ihres Kontos wurde entfernt',
      text: 'Die Authenticator-App Ihres Kontos wurde entfernt. Ihre Codes gelten nicht mehr.',
      action: 'Neues Passwort wählen',
      unexpected: resetAndRemove,
    },
    recoveryCodesCreated: {
      subject: 'Neue Wiederherstellungscodes für Ihr Konto',
      text: `Für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Alle früheren gelten nicht mehr. ${undoAddition}`,
      action: 'Entfernen und neues Passwort wählen',
      once,
      unexpected: 'Falls Sie sie selbst erstellt haben, können Sie diese E-Mail ignorieren.',
    },
    providerConnected: {
      subject: 'Ein weiterer Weg zur Anmeldung wurde verbunden',
      text: 'Von jetzt an meldet ein Konto bei einem anderen Anbieter bei Ihrem Konto an.',
      action: 'Neues Passwort wählen',
      unexpected:
        'Falls Sie das nicht waren, wählen Sie jetzt ein neues Passwort: Das trennt den Anbieter. Dafür brauchen Sie nur dieses Postfach.',
    },
    providerDisconnected: {
      subject: 'Ein Weg zur Anmeldung wurde getrennt',
      text: 'Ein Konto bei einem anderen Anbieter wurde von Ihrem Konto getrennt. Es meldet nicht mehr bei Ihrem Konto an.',
      action: 'Neues Passwort wählen',
      unexpected: resetAndRemove,
    },
    factorUndone: {
      subject: 'Ein hinzugefügter zweiter Faktor wurde entfernt',
      text: 'Mit dem Link einer E-Mail wurde ein hinzugefügter zweiter Faktor entfernt, und alles, was seither hinzukam. Ihr Konto hat ein neues Passwort, und alle Geräte wurden abgemeldet.',
      action: 'Neues Passwort wählen',
      unexpected:
        'Falls Sie das nicht waren, wählen Sie jetzt ein neues Passwort. Dafür brauchen Sie nur dieses Postfach.',
    },
    recoveryCodeUsed: {
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      text: (left) =>
        `Mit einem Wiederherstellungscode wurde Ihr Konto angemeldet. ${left === 1 ? 'Es ist noch 1 Code' : `Es sind noch ${left} Codes`} übrig. Erstellen Sie neue auf der Seite „Anmeldung und Sicherheit“, bevor sie aufgebraucht sind.`,
      action: 'Neues Passwort wählen',
      unexpected:
        'Falls Sie das nicht waren, wählen Sie jetzt ein neues Passwort: Dafür brauchen Sie nur dieses Postfach. Erstellen Sie danach neue Wiederherstellungscodes.',
    },
    accountExists: {
      subject: 'Sie haben bereits ein Konto',
      text: 'Mit dieser E-Mail-Adresse sollte ein Konto erstellt werden, aber Sie haben schon eines. Melden Sie sich wie gewohnt an, oder wählen Sie auf der Anmeldeseite „Passwort vergessen?“.',
      unexpected: 'Falls Sie das nicht waren, können Sie diese E-Mail ignorieren. Ihr Konto ist unverändert.',
    },
    alreadyVerified: {
      subject: 'Ihre E-Mail-Adresse ist bereits bestätigt',
      text: 'Die E-Mail-Adresse Ihres Kontos sollte bestätigt werden. Das ist sie bereits: Melden Sie sich wie gewohnt an.',
      unexpected: 'Falls Sie das nicht waren, können Sie diese E-Mail ignorieren.',
    },
    deletionScheduled: {
      subject: 'Ihr Konto wird gelöscht',
      text: (date) =>
        `Sie haben die Löschung Ihres Kontos verlangt. Sie sind überall abgemeldet, und am ${date} oder kurz danach wird alles Persönliche gelöscht. Bis dahin können Sie das Konto behalten. Organisationen, denen nur Sie angehören, werden mit ihm gelöscht.`,
      action: 'Konto behalten',
      unexpected:
        'Falls Sie das nicht waren, behalten Sie Ihr Konto mit diesem Link, und wählen Sie ein neues Passwort.',
    },
    deletionReminder: {
      subject: 'Ihr Konto wird bald gelöscht',
      text: (date) =>
        `Wie von Ihnen verlangt, wird Ihr Konto am ${date} oder kurz danach gelöscht. Dies ist die letzte Gelegenheit, es zu behalten.`,
      action: 'Konto behalten',
      unexpected: 'Wenn es weiterhin gelöscht werden soll, müssen Sie nichts tun.',
    },
    deletionPending: {
      subject: 'Ihr Konto ist zur Löschung vorgemerkt',
      text: (date) =>
        `Mit dieser Adresse wurde versucht, sich anzumelden, zu registrieren oder ein Passwort zurückzusetzen. Das Konto mit dieser Adresse wird am ${date} oder kurz danach gelöscht. Um es wieder zu verwenden, behalten Sie es zuerst.`,
      action: 'Konto behalten',
      unexpected:
        'Falls Sie das nicht waren oder es weiterhin gelöscht werden soll, können Sie diese E-Mail ignorieren.',
    },
    accountErased: {
      subject: 'Ihr Konto wurde gelöscht',
      text: 'Ihr Konto und alles Persönliche darin wurde gelöscht, wie von Ihnen verlangt. Dies ist die letzte E-Mail dazu.',
      kept: 'Rechnungen, die wir nach dem Gesetz aufbewahren müssen, bleiben bei unserem Zahlungsdienstleister.',
    },
    organizationDeletionScheduled: {
      subject: (organization) => `„${organization}“ wird gelöscht`,
      text: (organization, date) =>
        `Ein Inhaber hat die Löschung der Organisation „${organization}“ verlangt. Am ${date} oder kurz danach wird sie gelöscht, mit ihren Mitgliedern, Einladungen und Rechnungsangaben. Bis dahin kann jeder Inhaber sie in den Einstellungen wiederherstellen.`,
      unexpected: 'Wenn Sie damit einverstanden sind, müssen Sie nichts tun.',
    },
    organizationDeletionReminder: {
      subject: (organization) => `„${organization}“ wird bald gelöscht`,
      text: (organization, date) =>
        `Wie von einem Inhaber verlangt, wird die Organisation „${organization}“ am ${date} oder kurz danach gelöscht. Dies ist die letzte Gelegenheit, sie in den Einstellungen wiederherzustellen.`,
      unexpected: 'Wenn Sie damit einverstanden sind, müssen Sie nichts tun.',
    },
    domainMissing: {
      subject: (domain) => `Der Eintrag von ${domain} fehlt`,
      text: (domain, date) =>
        `Wir haben den TXT-Eintrag nicht gefunden, der zeigt, dass ${domain} Ihrer Organisation gehört. Fehlt er am ${date} noch immer, verliert Ihre Organisation die Domain.`,
      unexpected:
        'Den Eintrag finden Sie auf der Seite „Domains“. Wenn Sie die Domain aufgegeben haben, löschen Sie sie dort.',
    },
    domainLost: {
      subject: (domain) => `Ihre Organisation hat ${domain} verloren`,
      text: (domain) =>
        `Wir haben den TXT-Eintrag von ${domain} dreimal in Folge nicht gefunden. Die Domain gilt nicht mehr als Ihre: Niemand tritt über sie bei, und eine andere Organisation kann sie bestätigen.`,
      unexpected:
        'Mitglieder bleiben Mitglieder. Um die Domain zurückzubekommen, setzen Sie den Eintrag wieder und bestätigen die Domain.',
    },
    organizationErased: {
      subject: (organization) => `„${organization}“ wurde gelöscht`,
      text: (organization) =>
        `Die Organisation „${organization}“ wurde gelöscht, mit ihren Mitgliedern, Einladungen und Rechnungsangaben.`,
      kept: 'Rechnungen, die wir nach dem Gesetz aufbewahren müssen, bleiben bei unserem Zahlungsdienstleister.',
    },
    ownership: {
      owner: {
        subject: 'Sie besitzen jetzt eine Organisation',
        text: (actor, organization) =>
          `${actor} hat Ihnen die Rolle „Eigentümer“ der Organisation „${organization}“ gegeben. Damit verwalten Sie Mitglieder, Abrechnung und die Organisation selbst.`,
      },
      deposed: {
        subject: 'Sie besitzen eine Organisation nicht mehr',
        text: (actor, organization) =>
          `${actor} hat Ihnen die Rolle „Eigentümer“ der Organisation „${organization}“ genommen. Sie bleiben Mitglied.`,
      },
      removed: {
        subject: 'Sie wurden aus einer Organisation entfernt',
        text: (actor, organization) => `${actor} hat Sie aus der Organisation „${organization}“ entfernt.`,
      },
      unexpected: 'Falls Sie das nicht erwartet haben, fragen Sie die anderen Eigentümer oder unseren Support.',
    },
    ownersChanged: {
      subject: 'Eigentümer oder Mitglieder Ihrer Organisation haben sich geändert',
      owner: (actor, member, organization) =>
        `${actor} hat ${member} die Rolle „Eigentümer“ der Organisation „${organization}“ gegeben.`,
      joined: (_, member, organization) =>
        `${member} hat eine Einladung angenommen und hat jetzt die Rolle „Eigentümer“ der Organisation „${organization}“.`,
      deposed: (actor, member, organization) =>
        `${actor} hat ${member} die Rolle „Eigentümer“ der Organisation „${organization}“ genommen.`,
      removed: (actor, member, organization) =>
        `${actor} hat ${member} aus der Organisation „${organization}“ entfernt.`,
      left: (_, member, organization) =>
        `${member} hat die Rolle „Eigentümer“ der Organisation „${organization}“ selbst abgegeben.`,
      transferred: (actor, member, organization) =>
        `${actor} hat die Organisation „${organization}“ an ${member} übertragen.`,
      unexpected:
        'Falls das nicht in Ihrem Sinn ist, sehen Sie sich jetzt die Mitglieder der Organisation an. Alle Eigentümer bekommen diese E-Mail.',
    },
    apiClientChanged: {
      subject: 'Ein API-Client Ihrer Organisation hat sich geändert',
      created: (actor, client, organization) =>
        `${actor} hat den API-Client „${client}“ der Organisation „${organization}“ angelegt. Er handelt ohne eine Person für die Organisation.`,
      rotated: (actor, client, organization) =>
        `${actor} hat dem API-Client „${client}“ der Organisation „${organization}“ ein neues Geheimnis gegeben.`,
      deleted: (actor, client, organization) =>
        `${actor} hat den API-Client „${client}“ der Organisation „${organization}“ gelöscht.`,
      unexpected:
        'Falls das nicht in Ihrem Sinn ist, sehen Sie sich jetzt die API-Clients der Organisation an. Alle Eigentümer bekommen diese E-Mail.',
    },
    endpoint_disabled: {
      subject: 'Ein Endpunkt für Ereignisse wurde deaktiviert',
      text: (host) =>
        `Der Endpunkt Ihrer Organisation bei ${host} hat fünf Tage lang kein Ereignis angenommen. Er ist deaktiviert und erhält keine Ereignisse mehr. Wenn er wieder funktioniert, aktivieren Sie ihn in der Anwendung; dort stehen die Ereignisse der letzten 30 Tage.`,
      unexpected: 'Diese E-Mail erhalten alle Besitzer der Organisation.',
    },
    money: {
      card: (brand, last4) => `${brand} mit der Endung ${last4}`,
      every: {
        day: (count) => (count === 1 ? 'pro Tag' : `alle ${count} Tage`),
        week: (count) => (count === 1 ? 'pro Woche' : `alle ${count} Wochen`),
        month: (count) => (count === 1 ? 'pro Monat' : `alle ${count} Monate`),
        year: (count) => (count === 1 ? 'pro Jahr' : `alle ${count} Jahre`),
      },
      bought: {
        subject: (products) => `Gekauft: ${products}`,
        text: (organization) => `Die Organisation „${organization}“ hat gekauft:`,
        line: (product, amount, every) => `${product}: ${amount} ${every}`,
        note: 'Ein Abonnement verlängert sich, bis jemand es kündigt. Rabatte und Steuern stehen auf der Rechnung, die Sie in der Anwendung finden.',
      },
      canceled: {
        subject: (products) => `Gekündigt: ${products}`,
        text: (organization) => `Gekündigt für die Organisation „${organization}“:`,
        ends: (product, day) => `${product}: endet am ${day} und wird nicht verlängert`,
        ended: (product) => `${product}: ist beendet`,
        note: 'Bis zum Ende können Sie es nutzen und in der Anwendung fortsetzen. Danach kaufen Sie es bei Bedarf neu.',
      },
      payment_failed: {
        subject: (products) => `Zahlung fehlgeschlagen: ${products}`,
        text: (organization) =>
          `Wir konnten die Karte der Organisation „${organization}“ für den nächsten Zeitraum nicht belasten:`,
        line: (product, amount, day) => `${product}: ${amount}. Wir versuchen es am ${day} noch einmal.`,
        action: 'Jetzt zahlen',
        note: 'Sie können mit dieser Karte oder einer anderen zahlen. Verlangt Ihre Bank eine Bestätigung, geben Sie sie dort. Wird nichts gezahlt, endet das Abonnement.',
      },
      invoice_sent: {
        subject: (products) => `Rechnung für ${products}`,
        text: (organization) => `Es gibt eine neue Rechnung für die Organisation „${organization}“. Sie betrifft:`,
        action: 'Rechnung ansehen',
        note: 'Auf der Rechnung steht, bis wann und wie sie zu zahlen ist. Alle Rechnungen finden Sie auch in der Anwendung.',
      },
      card_expiring: {
        subject: 'Ihre Karte läuft nächsten Monat ab',
        text: (organization, cards, month) =>
          `Die Organisation „${organization}“ zahlt mit einer Karte, die bis Ende ${month} gültig ist: ${cards}. Fügen Sie vorher eine andere hinzu, damit keine Zahlung fehlschlägt.`,
        action: 'Karte hinzufügen',
        note: 'Hat Ihre Bank eine neue Karte mit derselben Nummer geschickt, fügen Sie sie mit dem neuen Datum hinzu.',
      },
    },
    invitation: {
      subject: 'Sie sind in eine Organisation eingeladen',
      text: (inviter, organization, role) =>
        `${inviter} lädt Sie in die Organisation „${organization}“ ein. Ihre Rolle: ${roles[role]}.`,
      noAccountNeeded: 'Wenn Sie noch kein Konto haben, können Sie es mit der Einladung erstellen.',
      action: 'Einladung ansehen',
      once,
      unexpected: 'Wenn Sie den Absender nicht kennen, können Sie diese E-Mail ignorieren.',
    },
  },
}
