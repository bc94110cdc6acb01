"""Common first names: of somebody who is "she", of somebody who is "he", and of whom the name alone does not say it."""

from __future__ import annotations

from lattice_common.language.vocabulary import vocabulary

SHE = vocabulary(
    """ada agnes alice amanda amelia amy anita ana ann anna anne annette barbara bea beatrice bella birgit brigitte carla carol
    caroline catherine cathy charlotte chiara chloe christina claire clara claudia deborah diana doris dorothy elena
    eleanor elif elisabeth elise elizabeth ella ellen elsa emilia emily emma erica erika esther eva eve fatima fiona
    florence frida gabriela giulia grace greta hanna hannah heidi helen helena helga ines ingrid irene iris isabel
    isabella jana jane janet jasmine jennifer jenny jessica joanna johanna josephine judith julia julie karen karin kate
    katharina katherine katja kathrin laura lena leonie lily linda lisa lola louise lucia lucy luisa lydia magda maja
    margaret maria marie marta martha martina mary mathilda maya megan melanie melissa mia michelle mila miriam molly
    monica monika nadia nancy naomi natalie natasha nina nora olga olivia patricia paula petra pia priya rachel rebecca
    renate rita rosa rose ruth sabine sally samantha sandra sara sarah silvia simone sofia sonja sophia sophie stella
    stephanie susan susanne svetlana sylvia tanja tatiana teresa theresa tina ursula valentina vanessa vera veronica
    victoria wendy yasmin yuki yvonne zara zoe"""
)
HE = vocabulary(
    """aaron abdul adam adrian ahmed alan albert alberto alexander alfred ali anders andreas andrew anthony anton antonio
    arthur axel ben benjamin bernd bernhard bill bob boris brian bruno carl carlos charles christian christopher claus
    daniel dave david dennis dieter dirk dmitri dominik edgar eduard edward elias emil enzo eric erik ernst ethan fabian
    felix finn florian francesco frank franz fred frederick fritz gabriel george gerald gerhard giovanni greg gregory
    günter gustav hamid hannes hans harald harry heinz helmut henrik henry herbert hugo ian igor ivan jack jacob jakob
    jamal james jan jason jean jeff jens jeremy jim joachim joao joe joel johannes john jonas jonathan jorge jose josef
    joseph joshua juan jürgen karl kevin klaus konrad kurt lars leo leon leonard liam luca lucas luis lukas manfred
    manuel marco marcus mario mark markus martin mateo matteo matthew matthias max michael miguel mike mohammed moritz
    nathan nick nicolas niklas nikolai noah oliver omar oscar oskar otto pablo patrick paul pedro peter philip pierre
    rainer ralf raj ravi rene richard rob robert roland ron ryan samuel sebastian sergei simon stefan stephen steve
    steven sven theo thomas thorsten tim timothy tobias tom tony uwe victor viktor vincent vladimir walter werner will
    william wolfgang yusuf"""
)
MORE = vocabulary(
    """abigail adele aidan aisha alejandro alex alexandra alexis alicia alina alison allison amber amelie amina amir
    anastasia andrea andrey angela angelika anja anke anneliese annika antonia archie ariana arjun astrid audrey
    aurelie ava bastian benedikt bernard beth bettina bjorn brandon brenda britta caleb cameron camille carmen carolyn
    cecilia charlie christa christine christoph clement colin connor corinna craig cynthia dagmar damien dan daniela
    danielle dario denis derek diane dietmar dmitry dominic donald dorothea douglas dylan edith ekaterina eli elijah
    elisa elke emilie enrico erin eugene eugen evan evelyn ferdinand frances francesca francis francisco franziska
    frederic frederik friedrich gabriele gareth gary gavin geoffrey georg gerd gertrud gisela guillaume gunther
    günther hamza harold harriet hassan heather heike heiko heinrich helene henri henriette hermann hiroshi holger
    horst howard ibrahim ilse ingeborg irina isaac isabelle jackson jacqueline jamie janina jasmin javier jeffrey
    jerome jill joan jochen johan johnny jordan joris julian juliane julien juliette jutta kai karolina kathleen katie
    katrin kayla keith kelly ken kenji kenneth kerstin khalid kiran kirsten klara kristin kristina kyle lara larry
    lauren lea leah leslie lili lilly liselotte livia logan louis lucie ludwig luka luke madeleine madison magdalena
    maike malte manuela mara marc marcel margarete margit mariana marianne mariam marina marion marius marlene maryam
    mason mathias mathieu mathilde maureen maurice maximilian mehmet mei michaela michel mikhail mirjam mohamed
    monique moses muhammad nadine natalia nathalie neil nele niamh nicholas nicola nicole niels nigel nikita nils
    noemi norbert norman oksana olaf oleg owen pamela paolo pauline pavel peggy penelope philipp philippe phoebe pilar
    quentin rafael rahul ralph ramona raphael rashid raymond regina reinhard renata ricardo roberto robin roger rolf
    roman romy ronald ronja rosalind rosemarie rosie rowan roxana rudolf rüdiger rupert sabrina salma sam samir sanjay
    sascha scott sean selina serena serge sergey sharon shaun sheila shirley sibylle sigrid silke sina sofie sonia
    spencer stefanie steffen stephan stuart sue susanna tamara tara tatjana ted terry theodor thierry till timo todd
    tomas tommy toni torsten tracy tristan tyler udo ulf ulrich ulrike ute valeria valerie verena veronika vicky
    viktoria viola virginia vivian volker waltraud wanda wayne wilhelm willem xavier yara yasmine yolanda yuri yvette
    zachary"""
)
"""Further names of English, German, French and other languages with Latin letters."""

SHORT_NAMES = vocabulary("ada ali amy ann ava ben dan eli eva ian jim joe ken lea leo mei mia pia raj ron sam tim tom uwe zoe")
"""Names of three letters that are no other words in English."""

WORDS_WITH_A_CAPITAL = vocabulary("anders bea bill eve grace jasmine mark rob rose will")
"""Names that with a capital are as often something else."""
WORDS_IN_SMALL_LETTERS = vocabulary(
    """amber carol charlie christian claire colin ella ernst florence frank grace heather horst iris jack jackson jean
    jordan lily lilly linda marina mark mason mila nick pierre pilar robin roger roman rosa rowan sally sara sean serena
    sina stella till vera viola virginia"""
)
"""Names that are words in small letters."""
WORDS_THAT_ARE_NAMES = vocabulary(
    """april art ash baker basil buddy charity chase cherry chip clay cliff daisy dawn dot faith ginger grant heath hope hunter
    ivy joy june king lane may melody olive pearl penny poppy prince ray rich rod rosemary sky star stone stormy summer willow"""
)
"""Further words that somebody may be called, so that a sentence which begins with one may be about a person."""

RUSSIAN = vocabulary(
    """Александр Александра Алексей Алёна Алена Алина Алиса Алла Анастасия Анатолий Ангелина Андрей Анжелика Анна Антон
    Антонина Арина Аркадий Арсений Артём Артем Артур Борис Вадим Валентин Валентина Валерий Валерия Варвара Василий
    Василиса Вера Вероника Виктор Виктория Виталий Владимир Владислав Вячеслав Галина Геннадий Георгий Глеб Григорий
    Дарья Денис Диана Дмитрий Ева Евгений Евгения Егор Екатерина Елена Елизавета Жанна Захар Зинаида Зоя Иван Игорь
    Илья Инна Ирина Кирилл Клавдия Константин Ксения Лариса Лев Леонид Лидия Любовь Людмила Максим Маргарита Марина
    Мария Марк Матвей Михаил Надежда Наталья Наталия Нелли Никита Николай Нина Нонна Оксана Олег Олеся Ольга Павел
    Пётр Петр Полина Прасковья Раиса Регина Римма Роман Руслан Савелий Светлана Семён Семен Сергей Снежана София Софья
    Станислав Степан Таисия Тамара Татьяна Тимофей Тимур Ульяна Фёдор Федор Филипп Эдуард Элина Эльвира Юлия Юрий Яков
    Ян Яна Ярослав Аня Саша Маша Даша Катя Лена Оля Таня Наташа Света Ира Юля Настя Лёша Леша Серёжа Сережа Дима Миша
    Коля Паша Петя Ваня Витя Вова Женя Костя Лёня Слава Толя Федя Юра Гриша Рома Стёпа Соня Поля Лиза Ксюша Галя Валя
    Люба Люда Надя Рита Зина"""
)
"""As they are written, with their short forms."""
