"""English words that mean the same in what people note, the first of each row standing for the others: what is said again may
have another one. Not what is only near: aunt and cousin, rent and own."""

SAME_WORDS = """
mother mum mom mummy mommy
father dad daddy
grandmother grandma granny nan nana
grandfather grandad granddad grandpa
brother bro
sister sis
doctor dr gp physician
dentist dental
flat apartment
bike bicycle cycle
truck lorry
rubbish trash garbage
trousers pants
shut closed
repair fix mend
rehearse practise practice
start begin commence
end finish
expire lapse
relocate move
terrible awful horrible dreadful
street st
road rd
wifi wlan wi-fi
password pw passwort pass
kilo kg kilos kilogram
gram g grams
litre l liter liters litres
gigabyte gb gig gigs
terabyte tb
percent %
each every
until till
beneath under underneath
mobile cell cellphone
holiday vacation
autumn fall
coach trainer
kept stored keep store
favourite favorite
colour color
neighbour neighbor
allergy allergic
mister mr
"""
