/**
 * Words that ask for each other: a question says "founded" where the text says "established". Everyday English, one family a
 * line; a word may stand in several. Text tables only.
 */

export const FAMILIES = `
found establish create form start begin set institute launch
open inaugurate launch
start begin commence launch origin originate onset first early
originate root origin derive develop evolve descend
end finish stop close conclude complete last final
find discover notice detect locate identify spot uncover
invent devise develop design create introduce invention inventor
make produce build construct manufacture create form assemble craft prepare
build construct erect construction building work builder
architect design draw plan
make cause lead result bring effect turn
name call know term title dub nickname label refer entitle
understand decode decipher interpret figure
mean meaning stand sense signify definition define
say state declare announce claim report tell express warn caution
write author compose publish book novel poem record
publish release issue print report
die death kill dead pass fatal perish casualty toll lose
bear birth born birthplace native
marry wed wife husband spouse marriage wedding partner
child son daughter offspring kid
parent father mother
live reside inhabit home dwell population inhabitant resident people house
live native endemic habitat inhabit
job work occupation profession trade career employ serve
employ hire work worker
teach teacher learn study train education school instruct taught
learn study train attend enrol student
big large great major huge size vast
small tiny little minor
high tall height elevation peak mountain
long length last duration extend stretch
wide width broad
deep depth
old age ancient aged
oldest earliest first
new recent modern
near close beside next adjacent
locate situate lie place found stand site position location
border boundary bound edge
transport freight carriage shipping carry convey cargo
trader merchant dealer vendor trade
top most lead main first leading
top highest best supreme
pick harvest gather reap
exhibit display show exhibition
bright lumen brightness light
electricity watt power
collect pick fetch gather
travel go move journey trip fly sail visit
leave depart flee escape abandon quit
come arrive reach return
give grant award provide supply offer present donate
get obtain receive acquire gain earn win
win victory defeat triumph beat
fight war battle conflict combat invade attack conquer
rule govern reign control lead power dominate
king queen monarch ruler emperor sovereign royal
leader head chief president director chair ruler
lead direct direction head supervise oversee oversaw manage run charge command
help aid assist support
stop prevent block ban forbid suppress prohibit halt
destroy ruin wreck demolish damage lose burn
break damage fail fault
hurt injure wound harm injury
disease illness sickness condition sick ill
doctor physician medical medicine
cure treat treatment remedy therapy
money fund capital finance pay income revenue budget cost
cost price fee charge pay expensive worth much
cheap inexpensive affordable cost low
buy purchase order acquire
sell sale trade merchant market vendor
pay payment charge refund money
borrow lend loan
company firm business manufacturer corporation maker enterprise
group team organisation organization association body
kind type sort form variety class species
part section portion component area piece
share percentage fraction proportion percent part rate
amount quantity number total figure
contain include comprise consist hold have compose
consist comprise compose contain make
use utilise employ apply serve function purpose
need require necessary demand must
eat feed food diet consume meal
drink consume beverage consumption
grow cultivate farm produce plant
keep store hold retain preserve maintain
protect guard shield defend safe security
hit strike crash collide
ship boat vessel fleet
luggage baggage suitcase
swap exchange replace
admission enter entry entrance ticket
dimension size measure measurement
car vehicle automobile
plane aircraft flight
road route path way street
ocean sea water
country nation state land homeland
city town settlement urban
area region territory district zone land
person people human man woman individual
scientist researcher biologist zoologist physicist chemist bacteriologist ethologist scholar
policeman police officer constable
painter artist paint painting
song music sing singer musical
film movie cinema
show display demonstrate indicate reveal
see view watch observe look visible sight
observe notice watch see spot
hear sound listen
change alter modify become convert transform adapt
become turn evolve
increase rise grow raise boost gain
decrease fall decline drop reduce lower shrink
fast quick rapid speed
slow slowly
strong power strength magnitude powerful
weak poor
important significant key major main chief essential
main chief primary principal mainly mostly chiefly largely
famous known renowned celebrate noted fame
common usual frequent widespread popular
rare unusual scarce
dangerous danger threat hazard risk threaten peril
think believe consider regard suppose estimate view
believe think estimate suppose faith
reason cause because why purpose explain
result consequence effect outcome
problem trouble fault issue difficulty
answer reply respond solution
ask request question
try attempt effort
allow permit enable let permission concession
join unite link connect combine merge
separate divide split distinct individual apart
same similar equal alike equivalent
different distinct diverse various
opposite contrast against
year annual annually yearly
day daily
week weekly
monday tuesday wednesday thursday friday saturday sunday weekday weekend
month monthly
often frequent frequently regular
early begin first initial initially original originally
late final last
later afterwards after subsequently next follow
now today current currently present modern
colour color hue paint shade
shape form
weigh weight heavy
hot warm heat temperature
cold cool freeze temperature
fire burn flame blaze
water sea seawater
wood timber tree
language speak tongue dialect
religion faith church religious belief christian catholic
law rule legal regulation act
crime criminal illegal
court judge trial sue legal
vote elect election
army military soldier troop force
school university college education
game play sport match player
team club side
holiday vacation trip
battery charge
power energy electricity electric
phone call telephone contact reach
mail email contact message write
warranty guarantee cover
deliver delivery ship shipping send dispatch arrive
return refund exchange back
clean wash cleaning rinse wipe
fix repair mend
replace exchange substitute swap change
turn switch button press
support help service assistance contact
include come contain box
material fabric make
fit suit compatible work
open opening hour opens
close closing shut seal closes
seal close shut
child kid children
pet animal dog cat parrot horse rabbit hamster
smart smarter clever intelligent mind
room hall chamber
job post position role
reveal disclose show
carry transport bear bring
throw toss cast
stick stuck aground trap
rebuild restore reconstruct
loot plunder rob pillage
exist survive remain extant surviving
survive live remain revive
remain stay left survive
decode decipher interpret
gather collect assemble meet
meet assembly gather encounter
choose select pick
follow succeed after
describe depict portray
inspire influence adapt
belong member include part
member belong attend
movement activity
god deity divine
century age era period
quake earthquake tremor shaking shake
crack fissure split
blame responsible fault accuse
mix blend combine stir
cook bake boil roast
expel drive banish remove
remove take delete drop
approve accept agree
refuse reject deny decline
agree treaty agreement deal pact
owner own possess belong
lend borrow loan
suffer experience undergo
perform play act performance
star actor actress cast play
defend protect guard
capital city
largest biggest main
highest tallest
border neighbour
hold keep stay carry
visitor tourist guest visit
dog cat pet animal puppy kitten
safe secure encrypt protect private
`;
