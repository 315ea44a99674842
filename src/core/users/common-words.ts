/**
 * Words that are known to stand at the heart of very many passwords: those for secrets and welcomes, names, animals, sports,
 * seasons, months, brands, heroes and short sentences, in English and in some neighbouring languages. Folded, without digits.
 */
export const commonWords = new Set(
  `
  password passwd passwort kennwort pass passw passwrd pwd secret geheim parola contrasena motdepasse wachtwoord losenord salasana
  haslo senha clave sifre login admin administrator root user guest test tester testing demo default changeme changeit temp
  temporary letmein openup opensesame sesame access enter entry welcome willkommen bienvenue bienvenido benvenuto hello hallo
  helloworld hola bonjour ciao salut servus moin whatever nothing something anything everything nopassword mypassword thepassword
  newpassword trustno trustnoone iloveyou iloveu loveyou loveme lovely lover love ichliebedich liebe schatz schatzi tequiero teamo
  jetaime amore amour monamour babygirl babyboy baby honey sugar sweetie sweetheart darling angel angels princess prinzessin
  princesa prince queen king kingdom knight master mastermind boss bigboss chief captain hunter killer ninja samurai warrior
  soldier sniper gangster pirate wizard magic magical mystery monster zombie vampire demon devil lucifer satan hell heaven god
  jesus christ jesuschrist blessed amen maria mohammed allah buddha krishna peace freedom liberty forever always never
  dragon tiger lion panther monkey donkey horse pony unicorn eagle falcon hawk phoenix raven shark dolphin whale turtle snake
  spider butterfly ladybug chicken rooster rabbit bunny hamster kitten kitty cat katze dog doggy puppy hund wolf fox bear teddy
  teddybear panda koala elephant buffalo bulldog mustang bronco cowboy cowboys ranger rangers steelers eagles packers yankees
  lakers bulls giants dodgers redsox patriots raiders broncos arsenal chelsea liverpool manchester united barcelona realmadrid
  juventus bayern dortmund schalke bvb fussball football futbol soccer baseball basketball hockey golf golfer tennis swimming
  skate skateboard snowboard surfer runner biker racing ferrari porsche mercedes bmw audi volkswagen toyota honda yamaha suzuki
  kawasaki harley ducati corvette camaro chevrolet ford jeep dodge lamborghini maserati subaru
  summer winter spring autumn sommer herbst fruehling fruhling frühling january february march april june july august september
  october november december januar februar märz maerz mai juni juli oktober dezember monday tuesday wednesday thursday friday
  saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag weekend holiday birthday geburtstag christmas
  weihnachten ostern easter halloween
  sunshine sonnenschein sonne moon moonlight starlight star stars starwars startrek rainbow regenbogen flower flowers blume blumen
  rose lily jasmine daisy violet cherry apple banana orange lemon peach pumpkin cookie cookies chocolate schokolade candy cupcake
  cheese pizza pasta burger coffee kaffee whiskey vodka beer
  superman batman spiderman ironman wolverine deadpool joker harrypotter hogwarts gandalf frodo hobbit legolas pokemon pikachu
  naruto sasuke sakura goku vegeta dragonball mario luigi zelda sonic minecraft fortnite roblox warcraft starcraft counterstrike
  matrix trinity neo skywalker vader yoda jedi garfield snoopy mickey minnie donald tinkerbell simba nemo shrek barbie metallica
  nirvana slipknot eminem beatles elvis madonna rihanna blink guitar music musik piano drummer dancer dance
  michael jennifer jessica ashley amanda nicole daniel andrew joshua matthew anthony robert william thomas david james john joseph
  charlie george harry oliver jack jackson justin brandon tyler dylan jordan austin taylor hannah samantha michelle melissa
  stephanie heather elizabeth victoria alexander alexandra alex andrea andreas angela anna annika antonio barbara benjamin carlos
  christian christine christopher claudia dennis diego dominik fabian felix florian francesca francesco franziska frank gabriel
  hans heinz isabella jan jens johannes jonas juan julia julian katharina kevin klaus laura lena leon leonie lisa louis lucas
  luis lukas manuel marcel marco margaret marie mario markus martin martina matthias max maximilian melanie mohamed monica monika
  natalie nathan nicolas nina olivia pascal patricia patrick paul peter petra philipp rachel rebecca ricardo richard robin roland
  ronaldo messi sabrina sandra sarah sebastian simon sophia sophie stefan stefanie steven susanne sven tobias tom ursula valentina
  vanessa veronica vincent walter werner wolfgang
  america american england london paris berlin hamburg munich muenchen münchen frankfurt koeln köln wien vienna zürich zuerich
  amsterdam madrid roma rome milano moscow newyork chicago boston dallas texas florida california mexico brazil canada australia
  germany deutschland österreich schweiz france italia espana polska russia china japan korea india
  google facebook instagram twitter youtube amazon microsoft windows apple iphone android samsung nokia sony playstation nintendo
  xbox internet computer laptop server network wireless router oracle cisco linux ubuntu debian oneplus huawei
  qwerty qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm yxcvbnm qazwsx qwer qweasd abc abcd abcdef xyz
  fuckyou fuckme fuckoff fuck asshole bitch bastard shit bullshit pussy sex sexy playboy porno ficken arschloch scheisse scheiße
  fickdich hurensohn mist
  money cash dollar million millionaire rich gold golden silver diamond platinum crystal lucky winner champion champions legend
  legends power turbo rocket thunder lightning storm hurricane tornado blizzard shadow darkness midnight blackcat black white red
  green blue yellow purple pink silver
  family mother father mommy daddy mama papa mutter vater brother sister bruder schwester friends friend freunde bestfriend buddy
  school schule college student teacher doctor nurse police fireman engineer office company business marketing service support
  photo photos picture pictures camera album gallery blog homepage website cloud backup
  trustme believe dream dreams dreamer smile smiley happy happiness crazy stupid idiot genius cool coolio awesome amazing perfect
  beautiful pretty gorgeous cutie handsome single married wedding
  `
    .trim()
    .split(/\s+/),
);
