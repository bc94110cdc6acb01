"""Common first names: of somebody who is "she", of somebody who is "he", and of whom the name alone does not say it."""

from __future__ import annotations

from lattice_common.language.vocabulary import vocabulary

SHE = vocabulary(
    """abigail ada adaeze adele agnes agnieszka ailsa ainhoa aisha akosua aleksandra alessia alexandra alice alicia alina
    alison allison amaka amanda amelia amelie amina amparo amy amélie ana ananya anastasia angela angelika angharad anita
    anja anke ann anna anne anneliese annette annika antje antonia aoife araceli ariana astrid audrey aurelie aurélie ava
    ayse ayşe barbara bea beatrice beatriz bella benedita bernadette beryl beth bethan bettina birgit bozena brenda
    brigitte britta brittany bronagh busra carla carmen carol caroline carolyn carys catarina catherine cathy catriona
    cecilia celine cerys charlotte chiara chioma chloe chloé christa christina christine ciara claire clara claudia
    clemence clémence colette consuelo corinna cynthia céline dagmar daniela danielle danièle deborah deepa defne deirdre
    delphine diana diane doreen doris dorota dorothea dorothy ebru edith edna eilidh ekaterina eleanor elena eleri elif
    elisa elisabeth elise elizabeth elke ella ellen elsa elspeth emilia emilie emily emine emma enid erica erika esra
    esther ethel eva eve evelyn ewa fatima fatma federica fiona florence folake frances francesca franziska françoise
    freya frida gabriela gamze gemma geraldine gertrud gillian gisela giulia gladys grace grainne greta gráinne gudrun
    gwen halima halina hanna hannah harriet hatice heather heidi heike helen helena helene helga henriette hilary hélène
    ifeoma ilaria ilse ines ingeborg ingrid inmaculada inés inês irene irina iris isabel isabella isabelle itziar
    jacqueline jana jane janet janina jasmin jasmine jeanette jennifer jenny jessica jill joan joana joanna joanne johanna
    josephine judith julia juliane julie juliette justyna jutta karen karin karolina katarzyna kate katharina katherine
    kathleen kathrin katie katja katrin kavita kayla keisha kerstin khadija kirsten kirsty klara kristin kristina lakshmi
    lara latoya laura lauren lea leah leila lena leonie leonor lili lilly lily linda linnea lisa liselotte livia lola
    lorraine louise lucia lucie lucy lucía luisa lydia lynette léa mabel madalena madeleine madison magda magdalena maike
    mairi maite maja malgorzata manon manuela mara margaret margarete margaux margit maria mariam mariana marianne marie
    marina marlene marlies marta martha martina mary maryam maría mathilda mathilde matilde maureen mavis maya małgorzata
    meera megan melanie melissa mia michaela michelle mila miriam mirjam moira molly monica monika monique morag muriel
    mårten mónica nadia nadine nancy naomi natalia natalie natasha nathalie nele nerea ngozi niamh nicole nina nisha noemi
    nora noémie nuala oceane océane odile oksana olga olivia orla ozge paige pamela paola patricia paula pauline peggy
    penelope petra phoebe pia pilar pooja priya rachel ramona rebecca regina renata renate rhiannon rita rocío roisin romy
    ronja rosa rosalind rose rosemarie rosie roxana ruth róisín sabine sabrina sally salma samantha sandra sara sarah
    selin selina serena shanice sharon sheila shirley shona sian sibylle sigrid silke silvia simona simone sina sinead
    sinéad siobhan siobhán sofia sofie sofía solene solveig sonia sonja sophia sophie soraya stacey stefanie stella
    stephanie sue sunita susan susanna susanne svetlana sylvia sylvie tamara tamsin tanisha tanja tara tatiana tatjana
    tegan teresa theresa thérèse tina tracey tracy tugba tuğba ulrike ursula ute valentina valeria valerie vanessa vera
    verena veronica veronika veronique verónica vicky victoria viktoria viola virginia véronique waltraud wanda wendy
    weronika winifred yara yasmin yasmine yetunde yolanda yuki yvette yvonne zainab zara zeynep zoe zofia zoë zuzanna özge"""
)
HE = vocabulary(
    """aaron abdul adam adrian adrián afonso ahmed ahmet aidan aitor alan alasdair alastair albert alberto aled alejandro
    alessandro alexander alfred ali alistair alvaro amir anders andreas andrew andrey andré andrés angus anil anthony
    antoine anton antonio archie arjun arthur axel babatunde baptiste barry bartosz bastian bastien ben benedict benedikt
    benjamin bernard bernd bernhard bilal bill bjorn björn bob boris brandon brendan brian bruno burak caleb callum carl
    carlos cathal charles chidi christian christoph christopher ciaran ciarán cillian claus clive colin connor conor
    cormac corrado craig dafydd damien daniel dario darnell dave david davide declan deepak dennis derek detlef diarmuid
    didier dieter dietmar diogo dirk dmitri dmitry dominic dominik donal donald douglas duarte duncan dylan edgar eduard
    edward eli elias elijah emeka emil emrys enrico enzo eoin eric erik ernst ethan euan eugen eugene evan ewan fabian
    fabrice fabrizio farid federico felix femi ferdinand fergus finn fionn florian francesco francisco frank franz
    françois fred frederic frederick frederik friedrich fritz frédéric gabriel gareth gary gavin gaël gennaro geoffrey
    georg george geraint gerald gerd gerhard gethin giacomo giovanni glyn goncalo gonçalo gordon greg gregor gregory
    grzegorz grégoire guillaume gunnar gunther gustav günter günther hamid hamish hamza hannes hans harald harold harry
    hasan hassan heiko heinrich heinz helmut henri henrik henry herbert hermann hervé hiroshi holger horst howard hugo
    huseyin huw ian ibrahim ieuan ignacio igor iker imran iolo isaac ivan jack jacob jakob jakub jamal james jan jannik
    janusz jason javier jean jeff jeffrey jens jeremy jerome jerzy jesús jim joachim joao joaquim jochen joe joel johan
    johannes john johnny jonas jonathan jorg jorge joris jose josef joseph joshua josé joão juan julian julien jurgen
    jérémy jérôme jörg jürgen karim karl keith ken kenji kenneth kerem kevin khalid klaus kofi koldo konrad krzysztof kurt
    kwame kwesi kyle larry lars leif leo leon leonard leopold liam lorcan lorenzo louis luca lucas ludwig luis lukas
    lukasz luke magnus malte manfred manuel marc marcel marcin marco marcus mario marius mark markus marquis martin martín
    massimo mateo mateusz mathias mathieu matteo matthew matthias maurice max maximilian mehmet michael michał michel
    miguel mike mikhail mikkel mohamed mohammed moritz moses muhammad murat mustafa nathan neil nicholas nick nicolas
    nicolás niels nigel niklas nikolai nils noah norbert norman nuno obinna oisin olaf oleg oliver olivier omar oscar
    oskar otto owain owen pablo padraig paolo patrick paul pavel pawel paweł pedro peter philip philipp philippe pierre
    piotr pádraig quentin rafael rahul rainer raj rajesh ralf ralph ramesh ramon raphael rashid rasmus ravi raymond raúl
    reinhard remi rene rené rhys ricardo riccardo richard rob robert roberto rodrigo roger rohan roland rolf roman ron
    ronald rory rudolf rui rupert ryan rémi rüdiger salvatore samir samuel sanjay scott seamus sean sebastian serge sergei
    sergey sergio serkan seán shaun siegfried simon spencer stefan steffen stephan stephen steve steven stuart stéphane
    sunil suresh sven szymon sébastien søren tadhg takashi tariq ted theo theodor thibault thierry thomas thorsten théo
    tiago tim timo timothy tobias todd tom tomas tomasz tommaso tommy tomás tony torsten travis trevon trevor tristan
    tyler tyrone udo ulf ulrich uwe victor vikram viktor vincent vincenzo vladimir volker walter wayne werner wilhelm will
    willem william wojciech wolfgang xavier yuri yusuf yves zachary zbigniew álvaro łukasz"""
)
MORE = vocabulary(
    """alex alexis amber andrea cameron camille charlie clement dan denis erin francis gabriele jackson jamie jordan kai
    kelly kiran leslie logan luka marion mason mei nicola nikita robin rowan sam sascha terry till toni vivian"""
)
"""Names of women and of men."""

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
